"""The life of each memory: the states that an accepted history led it through."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from tamis.memory_git.projection import Memory, Projection
from tamis.memory_git.records import Changeset, Operation, Repository


@dataclass(frozen=True, slots=True)
class MemoryState:
    """What a memory was after one operation, until its next state.

    Attributes:
        memory_id: the memory.
        order: the operation's place, counted over legacy events and operations.
        position: the changeset's place in the history, from 0.
        changeset_id: the changeset.
        ordinal: the operation's place in it; None for a legacy event.
        op_type: what was done; `legacy_event` for what the legacy root accepted.
        began_at: when the changeset, or the event, was made.
        reason: why it is not shown, empty while it is.
    """

    memory_id: str
    order: int
    position: int
    changeset_id: str
    ordinal: int | None
    op_type: str
    began_at: datetime | None
    content: str
    kind: str
    scope: str
    visibility: str
    tags: tuple[str, ...]
    confidence: float | None
    status: str
    is_shown: bool
    reason: str
    evidence_count: int
    verification_count: int


def states_of(repository: Repository, history: Iterable[Changeset]) -> Iterator[MemoryState]:
    """Each state of each memory, in the order in which they came about."""
    changesets = list(history)
    projection = Projection()
    for position, changeset in enumerate(changesets):
        if changeset.is_legacy_root:
            for event in repository.baseline_of(changeset):
                projection.accept_legacy(event, repository.project_id)
                memory = projection.memories[event.event_id]
                yield state_of(projection, memory, position, changeset, None, event.created_at)
    for position, changeset in enumerate(changesets):
        for operation in changeset.operations:
            projection.apply(operation)
            for memory in reached(projection, operation):
                yield state_of(
                    projection, memory, position, changeset, operation, changeset.created_at
                )


def reached(projection: Projection, operation: Operation) -> list[Memory]:
    """The memories that an operation acts on or makes, where there are any."""
    names: Sequence[str] = [operation.target_event_id]
    match operation.op_type:
        case "add_memory":
            names = [operation.made_id]
        case "correct_memory":
            names = [operation.corrected_id, operation.resulting_event_id]
        case "supersede_memory" if operation.content:
            names = [operation.target_event_id, operation.made_id]
        case "mark_duplicate":
            names = [operation.duplicate_id]
        case "add_relationship":
            names = []
    found = (projection.memories.get(name) for name in dict.fromkeys(names))
    return [memory for memory in found if memory is not None]


def state_of(
    projection: Projection,
    memory: Memory,
    position: int,
    changeset: Changeset,
    operation: Operation | None,
    began_at: datetime | None,
) -> MemoryState:
    """A memory as it is now."""
    blank_reason = "" if memory.content.strip() else "it holds no text"
    reason = blank_reason if memory.is_active else projection.exclusion_reasons[memory.memory_id]
    return MemoryState(
        memory.memory_id,
        projection.order,
        position,
        changeset.changeset_id,
        operation.ordinal if operation else None,
        operation.op_type if operation else "legacy_event",
        began_at,
        memory.content,
        memory.kind,
        memory.scope,
        memory.visibility,
        tuple(memory.tags),
        memory.confidence,
        memory.status,
        memory.is_shown,
        reason,
        len(memory.evidence),
        len(memory.verification),
    )
