"""What a principal is shown of accepted memory: policy first, then the assembly."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.context import Context, ContextError, ContextRequest, assemble
from tamis.context import manifest as stored_manifest
from tamis.context import manifests as stored_manifests
from tamis.context.asking import asker
from tamis.context.projects import project_of
from tamis.errors import TamisError
from tamis.home import Settings
from tamis.memory_git.context import PROJECTION_VERSION
from tamis.memory_git.ranking import LARGEST_LIMIT
from tamis.memory_git.records import SHARED_MAIN
from tamis.publish import current_build
from tamis.serve.journal import Call
from tamis.serve.policy import (
    MISSING_PIN,
    UNKNOWN_MANIFEST,
    UNKNOWN_PROJECT,
    Reason,
    Refusal,
    check_read,
    check_ref,
    check_session,
    sees_ref,
)
from tamis.serve.principals import READ, Principal
from tamis.session_keys import namespace_of

MOST_MANIFESTS = 100
BESIDE_THE_MANIFEST = ("manifest_stored", "memories", "relationships", "text")
# The words of an error may name projects and files: only its kind goes out.
REASONS = {
    "unknown_project": UNKNOWN_PROJECT,
    "unknown_ref": Reason(404, "unknown_ref", "the project has no such ref"),
    "unreachable_head": Reason(
        409, "unreachable_head", "the head is not in the accepted history of the ref"
    ),
    "unusable_history": Reason(
        409, "unusable_history", "the history of the ref is broken or too long"
    ),
    "bad_request": Reason(422, "bad_request", "nothing can be assembled for that"),
}
UNPUBLISHED = Reason(503, "nothing_published", "there is no published build to read")


@dataclass(frozen=True)
class Asking:
    """What a context is wanted for; see `ContextRequest`."""

    project: str
    ref: str = SHARED_MAIN
    head: str = ""
    query: str = ""
    limit: int = 0
    budget: int = 0
    session: str = ""
    trigger: str = ""
    pins: bool = False


@dataclass(frozen=True)
class Contexts:
    """The contexts and manifests of a home.

    Attributes:
        home: the home folder; its published build is looked up anew for each request.
        settings: its settings.
        clock: tells the time, naive UTC.
    """

    home: Path
    settings: Settings
    clock: Callable[[], datetime] = field(repr=False)

    def memory_context_at(
        self, principal: Principal, asking: Asking, call: Call, *, must_pin: bool = False
    ) -> dict[str, Any]:
        """The accepted memory of a project at a head, as a principal may see it.

        Its manifest is stored where that is asked for and the principal was granted it for this
        one project; who reads every project gets the same answer, and nothing is written.

        Args:
            principal: who asks.
            asking: what for.
            call: the audit's row, filled with what is asked and found.
            must_pin: refuse instead where nothing would be stored.

        Raises:
            Refusal: the principal may not see it, or it is not there.
        """
        call.project, call.ref, call.head = asking.project, asking.ref, asking.head or None
        check_read(principal, asking.project)
        check_ref(principal, asking.ref)
        check_session(principal, asking.session)
        may_pin = principal.pins(asking.project)
        if must_pin and not may_pin:
            raise Refusal(MISSING_PIN)
        stores = asking.pins and may_pin
        answer = self._assembled(principal, asking, stores)
        call.head = answer["head_changeset_id"] or call.head
        call.manifest_id = answer["manifest_id"]
        return {**answer, "manifest_stored": stores and answer["manifest_id"] is not None}

    def _assembled(self, principal: Principal, asking: Asking, stores: bool) -> dict[str, Any]:
        request = ContextRequest(
            project=asking.project,
            query=asking.query,
            ref=asking.ref,
            head=asking.head,
            limit=min(max(asking.limit, 0), LARGEST_LIMIT),
            budget=asking.budget,
            session_key=asking.session or None,
            trigger=asking.trigger or None,
            only_of=(principal.session_agent,),
        )
        with told_by_kind():
            context = assemble(self.home, self.settings, request, now=self.clock(), stores=stores)
        return told(asking, context)

    def manifest(self, principal: Principal, manifest_id: str, call: Call) -> dict[str, Any]:
        """A stored manifest.

        Raises:
            Refusal: there is none, or it is not the principal's to read.
        """
        call.manifest_id = manifest_id
        found = stored_manifest(self.home, manifest_id)
        if found is None or not self._sees(principal, found):
            raise Refusal(UNKNOWN_MANIFEST)
        call.project, call.ref = found["project_id"], found["ref_name"]
        call.head = found["head_changeset_id"]
        return found

    def manifests(
        self, principal: Principal, project: str, call: Call, *, limit: int, before: str | None
    ) -> list[dict[str, Any]]:
        """The stored manifests of a project that a principal may read, the newest first.

        Raises:
            Refusal: the project is none of its own, reading was not granted, or `before` is no
                manifest of its own.
        """
        call.project = project
        check_read(principal, project)
        name = self._name(principal, project)
        if before is not None:
            start = stored_manifest(self.home, before)
            if start is None or not self._sees(principal, start):
                raise Refusal(UNKNOWN_MANIFEST)
        seen: list[dict[str, Any]] = []
        while len(seen) < limit:
            page = stored_manifests(self.home, name, limit=MOST_MANIFESTS, before=before)
            seen += [one for one in page if self._owns(principal, one)]
            if len(page) < MOST_MANIFESTS:
                break
            before = page[-1]["manifest_id"]
        return seen[:limit]

    def _sees(self, principal: Principal, manifest: Mapping[str, Any]) -> bool:
        """Whether a manifest is of a project and a ref that a principal reads, and of its own."""
        if not self._owns(principal, manifest):
            return False
        project = manifest["project_id"]
        if principal.may(READ, project):
            return True
        # It may have been granted by another of the project's names.
        return any(
            self._name(principal, grant.project) == project
            for grant in principal.grants
            if READ in grant.permissions
        )

    def _owns(self, principal: Principal, manifest: Mapping[str, Any]) -> bool:
        """Whether a manifest is of a principal's own memory, and of a ref that it may name."""
        own = namespace_of(self.settings.user_id, principal.session_agent)
        return manifest["namespace"] == own and sees_ref(principal, manifest["ref_name"])

    def _name(self, principal: Principal, project: str) -> str:
        """The name by which the manifests of a project are stored; its own where it is unknown."""
        try:
            build = current_build(self.home)
            who = asker(build, self.settings.user_id, None, (principal.session_agent,))
            return project_of(build, who, project).name
        except TamisError:
            return project


@contextmanager
def told_by_kind() -> Iterator[None]:
    """Turn the errors of an assembly into refusals, without their words.

    Raises:
        Refusal: the assembly failed as it may.
    """
    try:
        yield
    except ContextError as error:
        raise Refusal(REASONS[error.kind]) from error
    except TamisError as error:
        raise Refusal(UNPUBLISHED) from error


def told(asking: Asking, context: Context) -> dict[str, Any]:
    """A context in the shape of Lethe's answers; a machine's has no manifest, and nothing in it."""
    return {
        "project_id": asking.project,
        "ref_name": asking.ref,
        "head_changeset_id": None,
        "projection_version": PROJECTION_VERSION,
        "manifest_id": None,
        "total_active": 0,
        "unresolved_conflicts": [],
        "inclusion_reasons": {},
        "exclusion_reasons": {},
        "items": [],
        **(context.manifest or {}),
        "manifest_stored": False,
        "memories": context.memories,
        "relationships": context.relationships,
        "text": context.text,
    }


def manifest_in(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of an answer alone."""
    return {name: value for name, value in answer.items() if name not in BESIDE_THE_MANIFEST}
