"""One question answered: who asks, what is accepted, what fits, and the manifest that pins it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.context.accepted import Accepted, accepted_memory
from tamis.context.asking import Asker, asker
from tamis.context.fitting import Fitted, fitted
from tamis.context.manifests import Manifest, manifest_id, sha256, store
from tamis.context.projects import Project, project_of
from tamis.context.rendering import (
    estimated_tokens,
    memory_line,
    preamble,
    said_line,
)
from tamis.context.request import ContextError, ContextRequest
from tamis.context.sessions import Said, said_in
from tamis.home import Settings
from tamis.memory_git.context import OUT_OF_LIMIT
from tamis.memory_git.ranking import LARGEST_LIMIT, USUAL_LIMIT
from tamis.publish import current_build
from tamis.session_keys import is_non_interactive

OUT_OF_BUDGET = "outside the token budget"
# A large history leaves out a hundred thousand memories; each question would store megabytes of
# what its head and the contract tell anyway.
MOST_REASONS = 1_000


@dataclass(frozen=True)
class Context:
    """What an agent is given.

    Attributes:
        manifest: what was given and what was left out, and why; None where a machine asks.
        memories: the accepted memories in the text, the best first.
        relationships: the accepted relationships of the project.
        text: what the agent reads; empty where there is nothing to say.
        items: the ledger: everything that was selected, in the order of the text, with its tokens
            and whether it is in the text.
    """

    manifest: Manifest | None = None
    memories: list[dict[str, Any]] = field(default_factory=list)
    relationships: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    items: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Plain data; the same for the same question of the same memory, at any time."""
        return {
            "manifest": self.manifest,
            "memories": self.memories,
            "relationships": self.relationships,
            "text": self.text,
            "items": self.items,
        }


def assemble(
    home: Path, settings: Settings, request: ContextRequest, *, now: datetime, stores: bool
) -> Context:
    """Answer a question from the published build, within its budget.

    A machine (`tamis.session_keys.is_non_interactive`) is given nothing, and nothing is stored.

    Args:
        home: the home folder.
        settings: whose memory it is, and the usual budget.
        request: the question.
        now: when a manifest that is new is stored; nothing else depends on it.
        stores: whether the manifest is stored; the answer is the same either way.

    Raises:
        ContextError: the question has no answer.
        TamisError: exit 3 where nothing is published or it can't be read.
    """
    if is_non_interactive(request.trigger, request.session_key):
        return Context()
    if request.budget < 0 or request.limit < 0:
        raise ContextError("bad_request", "limit and budget must be 0 or more")
    asked = replace(request, budget=request.budget or settings.context_budget)
    published = current_build(home)
    who = asker(published, settings.user_id, asked.session_key, asked.only_of)
    if who.is_machine:
        return Context()
    project = project_of(published, who, asked.project)
    accepted = accepted_memory(published, project, who, asked)
    known = {*accepted.exclusion_reasons, *accepted.inclusion_reasons}
    summary, events = said_in(published, project, who, known)
    shown = fitted(
        preamble(project.name, settings.user_name, who.is_subagent),
        [memory_line(memory) for memory in accepted.memories],
        [said_line(summary)] if summary else [],
        [said_line(event) for event in events],
        asked.budget,
    )
    items = ledger(accepted, summary, events, shown)
    told = manifest_of(project, who, asked, accepted, shown, items)
    if stores:
        store(home, told, now)
    return Context(
        told,
        [dict(memory) for memory in accepted.memories[: shown.memories]],
        [dict(one) for one in accepted.relationships],
        shown.text,
        items,
    )


def ledger(
    accepted: Accepted, summary: Said | None, events: list[Said], shown: Fitted
) -> list[dict[str, Any]]:
    """Everything that was selected, in the order of the text, and what became of it."""
    said = [(summary, shown.has_summary)] if summary else []
    oldest_shown = len(events) - shown.events
    said += [(event, place >= oldest_shown) for place, event in enumerate(events)]
    memories = [
        item("memory", memory["memory_id"], memory_line(memory), place < shown.memories)
        for place, memory in enumerate(accepted.memories)
    ]
    return memories + [item(one.kind, one.event_id, said_line(one), kept) for one, kept in said]


def item(kind: str, identifier: str, line: str, is_shown: bool) -> dict[str, Any]:
    """One item of the ledger."""
    return {
        "kind": kind,
        "id": identifier,
        "estimated_tokens": estimated_tokens(line),
        "is_shown": is_shown,
        "reason": "" if is_shown else OUT_OF_BUDGET,
    }


def manifest_of(
    project: Project,
    who: Asker,
    asked: ContextRequest,
    accepted: Accepted,
    shown: Fitted,
    items: list[dict[str, Any]],
) -> Manifest:
    """The manifest of an answer; a query is kept as its digest, for it may hold anything."""
    selected = [memory["memory_id"] for memory in accepted.memories[: shown.memories]]
    dropped = [memory["memory_id"] for memory in accepted.memories[shown.memories :]]
    left_out = {**accepted.exclusion_reasons, **dict.fromkeys(dropped, OUT_OF_BUDGET)}
    told = {
        "direction": "input",
        "project_id": project.name,
        "namespace": who.namespace,
        "source": accepted.source,
        "projection_version": accepted.version,
        "ref_name": asked.ref,
        "head_changeset_id": accepted.head,
        "query_sha256": sha256(asked.query),
        "limit": min(asked.limit, LARGEST_LIMIT) if asked.limit else USUAL_LIMIT,
        "budget": asked.budget,
        "session_id": who.session_id,
        "is_subagent": who.is_subagent,
        "total_active": accepted.total_active,
        "selected_memory_ids": selected,
        "inclusion_reasons": {one: accepted.inclusion_reasons[one] for one in selected},
        "exclusion_count": len(left_out),
        "exclusion_reasons": telling(left_out),
        "unresolved_conflicts": list(accepted.unresolved_conflicts),
        "accepted_estimated_tokens": estimated_tokens(shown.accepted_text),
        "estimated_tokens": estimated_tokens(shown.text),
        "text_sha256": sha256(shown.text),
        "items": items,
    }
    return {"manifest_id": manifest_id(told), **told}


def telling(reasons: Mapping[str, str]) -> dict[str, str]:
    """The reasons that tell most: of the budget and of conflicts, then what retired memories."""

    def order(one: tuple[str, str]) -> tuple[bool, bool, str]:
        memory_id, reason = one
        is_of_now = reason == OUT_OF_BUDGET or reason.startswith("withheld")
        return not is_of_now, reason == OUT_OF_LIMIT, memory_id

    return dict(sorted(sorted(reasons.items(), key=order)[:MOST_REASONS]))
