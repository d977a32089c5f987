"""Changesets and operations that should never have been written: checks over a landed history.

Lethe checks operations before it writes them. What an older version or another program wrote, or
what passed a hole of those checks, stands in the history for good; here it is reported, all of it
and not only the first problem of a changeset.

A target must be active at the changeset's first parent, or be made earlier in the same changeset.
Beyond what Lethe checks, a legacy event that was superseded is gone: what acts on it acts on
nothing. Lethe counts legacy events as active for ever.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from tamis.memory_git.history import HistoryError, changeset_of, unapplied_history
from tamis.memory_git.records import Changeset, Operation, Repository
from tamis.memory_git.shapes import shape_problems


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an operation, or with the place of a changeset in the graph.

    Attributes:
        changeset_id: the changeset.
        ordinal: the operation's place in it; None where the changeset itself is at fault.
        message: one line for a reader.
    """

    changeset_id: str
    ordinal: int | None
    message: str


@dataclass
class ActiveMemories:
    """The ids of the memories that are active, with a way back.

    Attributes:
        ids: those that are active now.
        journal: what was changed, oldest first: an id, and whether it was active before.
    """

    ids: set[str] = field(default_factory=set)
    journal: list[tuple[str, bool]] = field(default_factory=list)

    def put(self, memory_id: str, is_active: bool) -> None:
        """Make a memory active, or take it out."""
        if (memory_id in self.ids) != is_active:
            self.journal.append((memory_id, not is_active))
            (self.ids.add if is_active else self.ids.discard)(memory_id)

    def apply(self, operation: Operation) -> None:
        """What an operation ends and begins."""
        match operation.op_type:
            case "add_memory" if operation.content:
                self.put(operation.made_id, True)
            case "correct_memory" if operation.corrected_id in self.ids:
                result_id = operation.resulting_event_id or operation.corrected_id
                self.put(operation.corrected_id, False)
                self.put(result_id, True)
            case "supersede_memory":
                self.put(operation.target_event_id, False)
                if operation.content:
                    self.put(operation.made_id, True)
            case "mark_duplicate":
                self.put(operation.duplicate_id, False)

    def go_back(self, length: int) -> None:
        """Undo what the journal holds behind a length that it once had."""
        while len(self.journal) > length:
            memory_id, was_active = self.journal.pop()
            (self.ids.add if was_active else self.ids.discard)(memory_id)


def problems_of(repository: Repository) -> list[Problem]:
    """All that is wrong with the changesets of a project, by changeset and operation.

    Where the history behind a changeset is broken, its operations are checked in themselves only.
    """
    own = {
        changeset.changeset_id: changeset
        for changeset in repository.changesets
        if changeset.project_id == repository.project_id
    }
    found = graph_problems(repository, own)
    sound = without_broken_history(own)
    for changeset, active in states(repository, sound):
        found += operation_problems(changeset, active)
    for changeset_id in own.keys() - sound.keys():
        found += operation_problems(own[changeset_id], None)
    return sorted(found, key=lambda one: (one.changeset_id, one.ordinal or 0, one.message))


def operation_problems(changeset: Changeset, active: ActiveMemories | None) -> list[Problem]:
    """What is wrong with each operation of a changeset, each applied before the next is checked.

    Args:
        changeset: the changeset.
        active: what is active at its first parent, and again afterwards; None where nobody knows.
    """
    begun = len(active.journal) if active else 0
    found = []
    for operation in changeset.operations:
        messages = list(shape_problems(operation))
        if active:
            messages += state_problems(operation, active.ids)
            active.apply(operation)
        found += [
            Problem(changeset.changeset_id, operation.ordinal, f"{operation.op_type}: {message}")
            for message in messages
        ]
    if active:
        active.go_back(begun)
    return found


def state_problems(operation: Operation, active: Set[str]) -> Iterator[str]:
    """What an operation acts on that is not there, or makes that is there already."""
    needed: Sequence[str] = ()
    made = ""
    match operation.op_type:
        case "add_memory":
            made = operation.named_id
        case "correct_memory":
            needed, made = [operation.corrected_id], operation.resulting_event_id
        case "supersede_memory":
            needed, made = [operation.target_event_id], operation.named_id
            made = made if operation.content else ""
        case "mark_duplicate":
            needed = [operation.duplicate_id, operation.original_id]
        case "add_relationship":
            needed = [operation.from_id, operation.to_id]
        case "propose_deprecation" | "attach_evidence" | "attach_verification":
            needed = [operation.target_event_id]
    for memory_id in needed:
        if memory_id and memory_id not in active:
            yield f"memory {memory_id} is not active at the first parent"
    if made in active and made not in needed:
        yield f"memory {made} is active already"


def graph_problems(repository: Repository, own: Mapping[str, Changeset]) -> list[Problem]:
    """Changesets that were altered, that lack a parent or that are their own ancestors."""
    found = []
    for changeset in own.values():
        for needed_id in (changeset.changeset_id, *changeset.parent_ids):
            try:
                changeset_of(repository, needed_id)
            except HistoryError as problem:
                found.append(Problem(changeset.changeset_id, None, str(problem)))
    for changeset_id in circles(own):
        found.append(Problem(changeset_id, None, "it is its own ancestor"))
    return found


def circles(own: Mapping[str, Changeset]) -> Set[str]:
    """The changesets that stand in a circle, or between two of them."""
    parents = {
        one: {parent for parent in changeset.parent_ids if parent in own}
        for one, changeset in own.items()
    }
    behind = parents.keys() - in_turn(parents)
    children: dict[str, set[str]] = {one: set() for one in behind}
    for one in behind:
        for parent in parents[one] & behind:
            children[parent].add(one)
    return children.keys() - in_turn(children)


def without_broken_history(own: Mapping[str, Changeset]) -> dict[str, Changeset]:
    """The changesets whose ancestors are all there as they were written, parents first."""
    parents = {
        one: set(changeset.parent_ids) for one, changeset in own.items() if not changeset.is_altered
    }
    return {one: own[one] for one in in_turn(parents)}


def in_turn(needs: Mapping[str, Set[str]]) -> list[str]:
    """The names whose needs can all be met, each after what it needs."""
    waiting = {name: len(needed) for name, needed in needs.items()}
    needed_by: dict[str, list[str]] = {}
    for name, needed in needs.items():
        for one in needed:
            needed_by.setdefault(one, []).append(name)
    ready = [name for name, count in waiting.items() if count == 0]
    for name in ready:
        for other in needed_by.get(name, ()):
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    return ready


def states(
    repository: Repository, sound: Mapping[str, Changeset]
) -> Iterator[tuple[Changeset, ActiveMemories]]:
    """Each changeset with what is active at its first parent.

    One walk from parent to child, with a way back to where the next child begins: the history of a
    first parent is a prefix of its child's, so that only what a merge brings in is applied again.
    """
    children: dict[str, list[Changeset]] = {}
    for changeset in sound.values():
        first_parent = next(iter(changeset.parent_ids), "")
        children.setdefault(first_parent, []).append(changeset)
    active = ActiveMemories()
    applied: dict[str, None] = {}
    waiting: list[Changeset | tuple[int, int]] = list(children.get("", ()))
    while waiting:
        step = waiting.pop()
        if isinstance(step, tuple):
            journal_length, applied_count = step
            active.go_back(journal_length)
            while len(applied) > applied_count:
                applied.popitem()
            continue
        yield step, active
        waiting.append((len(active.journal), len(applied)))
        for changeset in unapplied_history(repository, step.changeset_id, applied):
            if changeset.is_legacy_root:
                for event in repository.baseline_of(changeset):
                    active.put(event.event_id, True)
            for operation in changeset.operations:
                active.apply(operation)
        waiting += children.get(step.changeset_id, ())
