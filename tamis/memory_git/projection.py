"""What a history makes of the memories: each operation in turn, as `memory-context/v1` says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tamis.memory_git.records import (
    Changeset,
    LegacyEvent,
    Operation,
    Payload,
    RecordedConflict,
    Repository,
    is_number,
    text_of,
)

LEGACY_KINDS = {"task": "task", "flag": "flag", "record": "record"}


@dataclass(slots=True)
class Memory:
    """A memory in the state that a history left it in.

    Attributes:
        order: the place of what touched it last, counted over legacy events and operations; the
            larger, the more recent.
        status: active, deprecation_proposed, corrected, superseded, duplicate or conflicted.
        is_active: whether it may be shown; a proposal to deprecate it changes nothing yet.
        evidence: the payloads attached to it as evidence.
        verification: the payloads attached to it as verification.
        payload: all that its operations said of it, the latest word per key.
    """

    memory_id: str
    content: str
    order: int
    source: str = "memory_git"
    event_type: str = ""
    kind: str = ""
    scope: str = ""
    visibility: str = ""
    tags: Sequence[str] = ()
    confidence: float | None = None
    status: str = "active"
    is_active: bool = True
    introduced_by: str = ""
    last_changed_by: str = ""
    evidence: list[Payload] = field(default_factory=list)
    verification: list[Payload] = field(default_factory=list)
    payload: dict[str, Any] = field(default_factory=dict)

    @property
    def is_shown(self) -> bool:
        """Whether it is active and says anything."""
        return self.is_active and bool(self.content.strip())


@dataclass(frozen=True, slots=True)
class Relationship:
    """An accepted relationship between two memories."""

    from_memory_id: str
    to_memory_id: str
    kind: str
    changeset_id: str


@dataclass
class Projection:
    """All memories after a history, shown or not.

    Attributes:
        memories: each memory that ever was, by its id.
        relationships: the accepted ones, oldest first.
        exclusion_reasons: why memories left, by their ids, the latest reason. One that came back
            keeps its reason: the contract's reasons tell what happened, not what is.
        order: how many legacy events and operations were counted.
    """

    memories: dict[str, Memory] = field(default_factory=dict)
    relationships: list[Relationship] = field(default_factory=list)
    exclusion_reasons: dict[str, str] = field(default_factory=dict)
    order: int = 0

    def accept_legacy(self, event: LegacyEvent, project_id: str) -> None:
        """An event of the frozen baseline, as a memory of the whole project."""
        self.order += 1
        self.memories[event.event_id] = Memory(
            event.event_id,
            event.content,
            self.order,
            source="legacy_event",
            event_type=event.event_type,
            kind=LEGACY_KINDS.get(event.event_type, "observation"),
            scope=project_id,
            tags=event.tags,
            confidence=event.confidence,
        )

    def apply(self, operation: Operation) -> None:
        """One operation; one of an unknown type only counts."""
        self.order += 1
        effect = EFFECTS.get(operation.op_type)
        if effect:
            effect(self, operation)

    def add(self, operation: Operation) -> None:
        """Make a memory, or replace the one of that id; without a text there is none."""
        if not operation.content:
            return
        changeset_id = operation.changeset_id
        memory = Memory(
            operation.made_id,
            operation.content,
            self.order,
            introduced_by=changeset_id,
            last_changed_by=changeset_id,
        )
        overlay(memory, operation.payload)
        self.memories[memory.memory_id] = memory

    def correct(self, operation: Operation) -> None:
        """Overlay a memory's fields: in place, or on a new memory that replaces it."""
        target_id, result_id = operation.corrected_id, operation.resulting_event_id
        memory = self.memories.get(target_id)
        if memory is None:
            self.exclusion_reasons[target_id] = "correction target was not present at this head"
            return
        if result_id and result_id != target_id:
            self.retire(memory, "corrected", f"corrected by {result_id}")
            memory = successor_of(memory, result_id, operation.changeset_id)
            self.memories[result_id] = memory
        memory.is_active, memory.status, memory.source = True, "active", "memory_git"
        self.touch(memory, operation)
        overlay(memory, operation.payload)

    def supersede(self, operation: Operation) -> None:
        """Retire a memory; a text puts a new one in its place."""
        memory = self.memories.get(operation.target_event_id)
        if memory:
            changeset_id = memory.last_changed_by = operation.changeset_id
            self.retire(memory, "superseded", f"superseded at {changeset_id}")
        self.add(operation)

    def mark_duplicate(self, operation: Operation) -> None:
        """Retire a memory that repeats another; it stays retired when that one goes too."""
        memory = self.memories.get(operation.duplicate_id)
        if memory:
            original = text_of(operation.payload, "duplicate_of") or operation.resulting_event_id
            memory.last_changed_by = operation.changeset_id
            self.retire(memory, "duplicate", f"duplicate of {original}")

    def propose_deprecation(self, operation: Operation) -> None:
        """Note a proposal; the memory stays, and comes to the front."""
        memory = self.memories.get(operation.target_event_id)
        if memory:
            memory.status = "deprecation_proposed"
            self.touch(memory, operation)

    def attach_evidence(self, operation: Operation) -> None:
        """Attach evidence to a memory, which comes to the front."""
        memory = self.memories.get(operation.target_event_id)
        if memory:
            memory.evidence.append(operation.payload)
            self.touch(memory, operation)

    def attach_verification(self, operation: Operation) -> None:
        """Attach a verification to a memory, which comes to the front."""
        memory = self.memories.get(operation.target_event_id)
        if memory:
            memory.verification.append(operation.payload)
            self.touch(memory, operation)

    def relate(self, operation: Operation) -> None:
        """Accept a relationship that names both its ends."""
        from_id, to_id = operation.from_id, operation.to_id
        if from_id and to_id:
            kind = text_of(operation.payload, "kind")
            self.relationships.append(Relationship(from_id, to_id, kind, operation.changeset_id))

    def retire(self, memory: Memory, status: str, reason: str) -> None:
        """Take a memory out of what is shown, and say why."""
        memory.is_active, memory.status = False, status
        self.exclusion_reasons[memory.memory_id] = reason

    def touch(self, memory: Memory, operation: Operation) -> None:
        """Make a memory the most recent one."""
        memory.last_changed_by, memory.order = operation.changeset_id, self.order

    def withhold(self, conflict_of: Mapping[str, str]) -> None:
        """Hold back memories whose value is in dispute, with what is related to them.

        Args:
            conflict_of: the conflict that each of them stands in.
        """
        for memory_id, conflict_id in conflict_of.items():
            if memory_id in self.memories:
                reason = f"withheld by unresolved conflict {conflict_id}"
                self.retire(self.memories[memory_id], "conflicted", reason)
        self.relationships = [
            relationship
            for relationship in self.relationships
            if relationship.from_memory_id not in conflict_of
            and relationship.to_memory_id not in conflict_of
        ]


EFFECTS: dict[str, Callable[[Projection, Operation], None]] = {
    "add_memory": Projection.add,
    "correct_memory": Projection.correct,
    "supersede_memory": Projection.supersede,
    "mark_duplicate": Projection.mark_duplicate,
    "propose_deprecation": Projection.propose_deprecation,
    "attach_evidence": Projection.attach_evidence,
    "attach_verification": Projection.attach_verification,
    "add_relationship": Projection.relate,
}


def project(repository: Repository, history: Iterable[Changeset]) -> Projection:
    """The memories after a history: the frozen baseline first, then every operation in order."""
    changesets = list(history)
    projection = Projection()
    for changeset in changesets:
        if changeset.is_legacy_root:
            for event in repository.baseline_of(changeset):
                projection.accept_legacy(event, repository.project_id)
    for changeset in changesets:
        for operation in changeset.operations:
            projection.apply(operation)
    return projection


def unresolved_conflicts(
    conflicts: Iterable[RecordedConflict], history: Iterable[Changeset]
) -> tuple[list[str], dict[str, str]]:
    """The open conflicts that a history meets, and the memories that are in dispute there.

    One accepted side is a decision. Where both are in the history, the one that happened to be
    merged last must not win: every memory that either changeset names is in dispute.

    Returns:
        The ids of the conflicts with a side in the history, oldest first; and for each memory in
        dispute the conflict to name.
    """
    reached = {changeset.changeset_id: changeset for changeset in history}
    listed: list[str] = []
    conflict_of: dict[str, str] = {}
    for conflict in sorted(conflicts, key=conflict_order):
        sides = (conflict.left_changeset_id, conflict.right_changeset_id)
        met = [reached[side] for side in sides if side in reached]
        if conflict.status != "open" or not met:
            continue
        listed.append(conflict.conflict_id)
        if len(met) == len(sides):
            for changeset in met:
                for operation in changeset.operations:
                    for memory_id in disputed_ids(operation):
                        conflict_of.setdefault(memory_id, conflict.conflict_id)
    return listed, conflict_of


def conflict_order(conflict: RecordedConflict) -> tuple[datetime, str]:
    """Oldest first, then by id."""
    return conflict.created_at or datetime.min, conflict.conflict_id


def disputed_ids(operation: Operation) -> list[str]:
    """The memories that an operation acts on or makes."""
    makes_one = operation.op_type in ("add_memory", "supersede_memory")
    result_id = operation.made_id if makes_one else operation.resulting_event_id
    return [memory_id for memory_id in (operation.target_event_id, result_id) if memory_id]


def successor_of(memory: Memory, memory_id: str, changeset_id: str) -> Memory:
    """A new memory that begins with all that is known of the one that it replaces."""
    successor = copy(memory)
    successor.memory_id = memory_id
    successor.introduced_by = changeset_id
    successor.evidence = list(memory.evidence)
    successor.verification = list(memory.verification)
    successor.payload = dict(memory.payload)
    return successor


def overlay(memory: Memory, payload: Payload) -> None:
    """What a payload says of a memory replaces what was said; what it leaves out stays."""
    memory.payload.update(payload)
    memory.content = text_of(payload, "content") or memory.content
    memory.event_type = text_of(payload, "event_type") or memory.event_type
    memory.kind = text_of(payload, "kind") or memory.kind
    memory.scope = text_of(payload, "scope") or memory.scope
    memory.visibility = text_of(payload, "visibility") or memory.visibility
    if "tags" in payload:
        memory.tags = tags_of(payload["tags"])
    confidence = payload.get("confidence")
    if is_number(confidence):
        memory.confidence = float(confidence)


def tags_of(value: object) -> tuple[str, ...]:
    """Tags as a list of texts, or as one text with commas or blanks between them."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    if isinstance(value, list | tuple):
        return tuple(tag for tag in value if isinstance(tag, str) and tag)
    return ()
