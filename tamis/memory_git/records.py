"""What the database of a project holds of Memory Git."""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, TypeGuard

SHARED = "refs/shared/"
SHARED_MAIN = f"{SHARED}main"
_OWNED = re.compile(r"refs/(?:agents|sessions|topics)/([^/]+)/")
Payload = Mapping[str, Any]


def owner_of(ref: str) -> str | None:
    """The agent whose branch a ref is, as the ref writes it; None for any other ref."""
    owned = _OWNED.match(ref)
    return owned[1] if owned else None


def text_of(payload: Payload, key: str) -> str:
    """A text of a payload; empty where it is absent or no text."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a JSON value is a number, and one that a computer can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


@dataclass(frozen=True, slots=True)
class Operation:
    """One semantic operation of a changeset.

    Attributes:
        changeset_id: the changeset that holds it.
        ordinal: its place in there, from 0.
        op_type: `add_memory`, `correct_memory`, `supersede_memory`, `mark_duplicate`,
            `propose_deprecation`, `attach_evidence`, `attach_verification`, `add_relationship`.
        target_event_id: the memory it acts on, where its column says so.
        resulting_event_id: the memory that stands afterwards, where its column says so.
        payload: the rest, a JSON object.
    """

    changeset_id: str
    ordinal: int
    op_type: str
    target_event_id: str = ""
    resulting_event_id: str = ""
    payload: Payload = field(default_factory=dict)

    @property
    def content(self) -> str:
        """The text that it gives a memory."""
        return text_of(self.payload, "content")

    @property
    def named_id(self) -> str:
        """The memory that it makes, by the first channel that names it; empty where none does."""
        return (
            self.resulting_event_id
            or text_of(self.payload, "memory_id")
            or text_of(self.payload, "event_id")
        )

    @property
    def made_id(self) -> str:
        """The memory that it makes; one that nobody named is known by its operation."""
        return self.named_id or f"mem:{self.changeset_id}:{self.ordinal}"

    @property
    def corrected_id(self) -> str:
        """The memory that a correction acts on."""
        return self.target_event_id or self.made_id

    @property
    def duplicate_id(self) -> str:
        """The memory that is marked as a duplicate."""
        return self.target_event_id or text_of(self.payload, "duplicate_id")

    @property
    def original_id(self) -> str:
        """The memory that a duplicate repeats."""
        return self.resulting_event_id or text_of(self.payload, "duplicate_of")

    @property
    def from_id(self) -> str:
        """Where a relationship begins."""
        return self.target_event_id or text_of(self.payload, "from_memory_id")

    @property
    def to_id(self) -> str:
        """Where a relationship ends."""
        return self.resulting_event_id or text_of(self.payload, "to_memory_id")


@dataclass(frozen=True, slots=True)
class Changeset:
    """One commit.

    Attributes:
        changeset_id: its id.
        project_id: whose it is.
        parent_ids: its parents; their order decides whose word is the last.
        operations: what it does, in order.
        is_legacy_root: whether it stands for all that was there before Memory Git.
        created_at: when it was made.
        topic_id: the topic that it is confined to, empty for none.
        actor_id: the actor that it is confined to, empty for none.
        is_altered: whether its row was seen with another content too; what is in the history is
            never rewritten, so neither content can be trusted.
    """

    changeset_id: str
    project_id: str
    parent_ids: Sequence[str] = ()
    operations: Sequence[Operation] = ()
    is_legacy_root: bool = False
    created_at: datetime | None = None
    topic_id: str = ""
    actor_id: str = ""
    is_altered: bool = False


@dataclass(frozen=True, slots=True)
class LegacyEvent:
    """A row of the event table, the memory of the time before Memory Git."""

    event_id: str
    event_type: str
    content: str
    created_at: datetime | None = None
    tags: Sequence[str] = ()
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class RecordedConflict:
    """A row of the conflict table: two changesets, and whether they are still unresolved."""

    conflict_id: str
    left_changeset_id: str
    right_changeset_id: str
    status: str = "open"
    created_at: datetime | None = None


@dataclass(frozen=True)
class Repository:
    """All that one project has; the order of its records means nothing.

    Attributes:
        project_id: the project.
        changesets: its changesets, and those of others that its own name as parents.
        refs: the head of each ref by the ref's name.
        legacy_events: its event table, whole.
        baselines: the ids of the events that a legacy root froze, by the root's id.
        conflicts: its conflict table.
    """

    project_id: str
    changesets: Sequence[Changeset]
    refs: Mapping[str, str] = field(default_factory=dict)
    legacy_events: Sequence[LegacyEvent] = ()
    baselines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    conflicts: Sequence[RecordedConflict] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Changeset]:
        """The changesets by their ids."""
        return {changeset.changeset_id: changeset for changeset in self.changesets}

    def baseline_of(self, root: Changeset) -> list[LegacyEvent]:
        """The events that a legacy root accepted, oldest first.

        Where the frozen list is missing, it is what the event table held when the root was made;
        an event written later was never accepted, nor is one that says no time.
        """
        frozen = self.baselines.get(root.changeset_id)
        if frozen is not None:
            names = set(frozen)
            accepted = [event for event in self.legacy_events if event.event_id in names]
        else:
            accepted = [event for event in self.legacy_events if is_before(event, root)]
        return sorted(accepted, key=event_order)


def is_before(event: LegacyEvent, root: Changeset) -> bool:
    """Whether the event was there when the root was made."""
    return (
        event.created_at is not None
        and root.created_at is not None
        and event.created_at <= root.created_at
    )


def event_order(event: LegacyEvent) -> tuple[bool, datetime, str]:
    """Oldest first, then by id; events without a time come last."""
    return event.created_at is None, event.created_at or datetime.min, event.event_id
