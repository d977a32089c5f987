"""Branches that contradict each other: what a merge of two heads would have to decide.

Compared is what each branch made of the memories, not every operation on the way; what both share
contradicts nothing. What a branch changed is held against the memories of the shared past that
still stand on it, and against what the other branch changed.

Better than Lethe's own detector, which this follows otherwise:

- Two branches that give one memory different decisions contradict each other. Lethe compares
  memories of different ids only.
- The same text under two ids is a duplicate and contradicts nothing.
- Periods of validity are compared as times. As texts, two time zones miss each other.
- A branch that corrects or supersedes a memory does not contradict the value that it replaces.
- What two branches make of one legacy event is compared too.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tamis.memory_git.history import history_of
from tamis.memory_git.projection import Memory, project
from tamis.memory_git.records import Changeset, Payload, Repository, text_of
from tamis.memory_git.shapes import APPROVED_TRUST, VISIBILITIES, is_downgrade

SEVERITIES = {
    "duplicate_content": "info",
    "contradictory_decision": "blocking",
    "protected_decision": "blocking",
    "incompatible_fact": "blocking",
    "trust_downgrade": "blocking",
    "scope_flow": "warning",
    "stale_base": "warning",
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing that a merge of two heads would have to decide.

    Attributes:
        conflict_type: contradictory_decision, protected_decision, incompatible_fact,
            duplicate_content, trust_downgrade, boundary_violation, scope_flow or stale_base.
        severity: blocking, warning or info.
        summary: one line for a reader, without the memories' texts.
        memory_ids: the two memories that disagree, the shared past's or the left branch's first;
            or the one that an operation acts on.
        changeset_id: the changeset at fault, where it is one.
    """

    conflict_type: str
    severity: str
    summary: str
    memory_ids: Sequence[str] = ()
    changeset_id: str = ""


def conflicts_between(repository: Repository, base: str, left: str, right: str) -> list[Conflict]:
    """What two heads disagree on.

    Args:
        repository: the project.
        base: the changeset that both are expected to descend from.
        left: one head.
        right: the other.

    Raises:
        HistoryError: one of the histories is broken, too long or not there.
    """
    left_history, right_history = history_of(repository, left), history_of(repository, right)
    left_ids = {changeset.changeset_id for changeset in left_history}
    right_ids = {changeset.changeset_id for changeset in right_history}
    shared = [one for one in left_history if one.changeset_id in right_ids]
    of_left = [one for one in left_history if one.changeset_id not in right_ids]
    of_right = [one for one in right_history if one.changeset_id not in left_ids]

    past = shown_memories(repository, shared)
    left_branch = Branch(past, shown_memories(repository, [*shared, *of_left]))
    right_branch = Branch(past, shown_memories(repository, [*shared, *of_right]))

    found: list[Conflict] = []
    if base not in left_ids or base not in right_ids:
        found.append(conflict("stale_base", f"not both heads descend from {base}"))
    for branch in (left_branch, right_branch):
        found += disagreements(repository.project_id, branch.standing, branch.changed)
    found += disagreements(
        repository.project_id,
        [one for one in left_branch.changed if not is_kept(one, past, right_branch)],
        [one for one in right_branch.changed if not is_kept(one, past, left_branch)],
    )
    changed = [*of_left, *of_right]
    found += (one for changeset in changed for one in boundary_violations(changeset))
    found += (one for changeset in changed for one in scope_flows(changeset))
    found += (one for changeset in changed for one in trust_downgrades(changeset))
    return found


def conflict(
    conflict_type: str,
    summary: str,
    memory_ids: Sequence[str] = (),
    changeset_id: str = "",
    severity: str = "",
) -> Conflict:
    """A conflict, as severe as its type unless it says so."""
    severity = severity or SEVERITIES[conflict_type]
    return Conflict(conflict_type, severity, summary, memory_ids, changeset_id)


def shown_memories(repository: Repository, history: Sequence[Changeset]) -> dict[str, Memory]:
    """The memories that are shown after a history, by their ids, in the order of these."""
    memories = project(repository, history).memories
    return {name: memories[name] for name in sorted(memories) if memories[name].is_shown}


class Branch:
    """What a branch made of the memories of the shared past.

    Attributes:
        memories: those that are shown at its head.
        changed: those that it made or changed.
        standing: those of the past that it left as they were.
    """

    def __init__(self, past: Mapping[str, Memory], memories: Mapping[str, Memory]) -> None:
        self.memories = memories
        self.changed = [one for one in memories.values() if not is_same(one, past)]
        self.standing = [one for one in past.values() if is_same(one, memories)]


def is_same(memory: Memory, others: Mapping[str, Memory]) -> bool:
    """Whether a memory says the same among the others; evidence for it changes nothing."""
    other = others.get(memory.memory_id)
    return other is not None and other.payload == memory.payload


def is_kept(memory: Memory, past: Mapping[str, Memory], other_branch: Branch) -> bool:
    """Whether a branch left a memory's text as it was, and the other branch may have replaced it.

    Who changes the tags of a decision does not stand by it against who changes the decision.
    """
    before, beside = past.get(memory.memory_id), other_branch.memories.get(memory.memory_id)
    if before is None or before.content != memory.content:
        return False
    return beside is None or not is_same(before, {beside.memory_id: beside})


def disagreements(
    project_id: str, memories: Iterable[Memory], others: Iterable[Memory]
) -> Iterator[Conflict]:
    """What memories of two origins disagree on: duplicates, then decisions, then facts."""
    memories, others = list(memories), list(others)
    for one, other in pairs(memories, others, lambda memory: memory.content.strip()):
        yield conflict("duplicate_content", "two memories say the same", ids_of(one, other))
    for one, other in pairs(memories, others, lambda memory: decided_scope(memory, project_id)):
        if not says_the_same(one, other):
            is_any_protected = is_protected(one.payload) or is_protected(other.payload)
            kind = "protected_decision" if is_any_protected else "contradictory_decision"
            scope = decided_scope(one, project_id)
            yield conflict(kind, f"two decisions for scope {scope}", ids_of(one, other))
    for one, other in pairs(memories, others, lambda memory: fact_key(memory, project_id)):
        if not says_the_same(one, other) and overlap(one.payload, other.payload):
            yield conflict("incompatible_fact", "two values of one fact", ids_of(one, other))


def pairs(
    memories: Iterable[Memory], others: Iterable[Memory], key: Callable[[Memory], Hashable]
) -> Iterator[tuple[Memory, Memory]]:
    """The pairs of memories with the same key; those without one have no pair."""
    by_key = defaultdict(list)
    for other in others:
        by_key[key(other)].append(other)
    by_key.pop(None, None)
    for one in memories:
        for other in by_key.get(key(one), ()):
            yield one, other


def ids_of(one: Memory, other: Memory) -> tuple[str, str]:
    """The ids of two memories."""
    return one.memory_id, other.memory_id


def says_the_same(one: Memory, other: Memory) -> bool:
    """Whether two memories have one text."""
    return one.content.strip() == other.content.strip()


def decided_scope(memory: Memory, project_id: str) -> str | None:
    """What a memory decides on; None where it is no decision."""
    if memory.kind != "decision" and "decision:" not in memory.content.lower():
        return None
    return memory.scope or text_of(memory.payload, "project_id") or project_id


def is_protected(payload: Payload) -> bool:
    """Whether a decision is one that only the user may change."""
    return payload.get("protected") is True or text_of(payload, "approval") == APPROVED_TRUST


def fact_key(memory: Memory, project_id: str) -> tuple[str, str] | None:
    """Which fact a memory gives the value of; None where it gives none."""
    name = text_of(memory.payload, "fact_key") or text_of(memory.payload, "subject")
    return (name, memory.scope or project_id) if memory.kind == "fact" and name else None


def overlap(one: Payload, other: Payload) -> bool:
    """Whether two periods of validity share a moment; an open or unreadable end has no bound."""
    return begins_in_time(one, other) and begins_in_time(other, one)


def begins_in_time(one: Payload, other: Payload) -> bool:
    """Whether one period begins before the other has ended."""
    begin, end = moment_of(one, "valid_from"), moment_of(other, "valid_to")
    return begin is None or end is None or begin <= end


def moment_of(payload: Payload, key: str) -> datetime | None:
    """A time of a payload; one without a zone is UTC."""
    try:
        moment = datetime.fromisoformat(text_of(payload, key).strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def boundary_violations(changeset: Changeset) -> Iterator[Conflict]:
    """Operations that name another project, topic or actor than their changeset."""
    place = {
        "project": changeset.project_id,
        "topic": changeset.topic_id,
        "actor": changeset.actor_id,
    }
    for operation in changeset.operations:
        for boundary, own in place.items():
            named = text_of(operation.payload, f"{boundary}_id")
            if named and own and named != own:
                yield conflict(
                    "boundary_violation",
                    f"an operation names {boundary} {named}, its changeset {own}",
                    changeset_id=changeset.changeset_id,
                    severity="blocking" if boundary == "project" else "warning",
                )


def scope_flows(changeset: Changeset) -> Iterator[Conflict]:
    """Operations that let more people see a memory."""
    for operation in changeset.operations:
        narrow = text_of(operation.payload, "from_visibility")
        wide = text_of(operation.payload, "to_visibility")
        if narrow and wide and width_of(narrow) < width_of(wide):
            yield conflict(
                "scope_flow",
                f"what was {narrow} becomes {wide}",
                changeset_id=changeset.changeset_id,
            )


def width_of(visibility: str) -> int:
    """How many see it; an unknown word is taken for the narrowest."""
    return VISIBILITIES.index(visibility) if visibility in VISIBILITIES else 0


def trust_downgrades(changeset: Changeset) -> Iterator[Conflict]:
    """Operations that put a model's guess in the place of what the user approved."""
    for operation in changeset.operations:
        if operation.op_type in ("correct_memory", "supersede_memory") and is_downgrade(
            operation.payload
        ):
            yield conflict(
                "trust_downgrade",
                "a model's guess replaces what the user approved",
                [operation.corrected_id],
                changeset.changeset_id,
            )
