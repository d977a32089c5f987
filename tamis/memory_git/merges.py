"""Merges that decided without saying so: both sides rewrote one memory, the last one merged won.

Lethe's detector compares memories of different ids, so it records no conflict for these, and what
the first parent's side said is gone from every later head.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tamis.memory_git.conflicts import Conflict, conflicts_between
from tamis.memory_git.history import history_of
from tamis.memory_git.records import Changeset, Operation, Repository


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What two changesets disagree on.

    Attributes:
        base: the last changeset that both descend from, empty where nobody looked for it.
        left: one side.
        right: the other.
        conflicts: on what.
    """

    base: str
    left: str
    right: str
    conflicts: Sequence[Conflict]


def disagreement(repository: Repository, left: str, right: str) -> Disagreement | None:
    """What two heads disagree on; None where they share no history.

    Raises:
        HistoryError: one of the histories is broken or too long.
    """
    behind_left = {changeset.changeset_id for changeset in history_of(repository, left)}
    shared = [
        changeset.changeset_id
        for changeset in history_of(repository, right)
        if changeset.changeset_id in behind_left
    ]
    if not shared:
        return None
    base = shared[-1]
    return Disagreement(base, left, right, conflicts_between(repository, base, left, right))


def silent_merges(repository: Repository, history: Sequence[Changeset]) -> Iterator[Disagreement]:
    """The merges on the first-parent line of a history that chose between two texts in silence.

    A merge that rewrites the memory itself did not, nor one whose sides are in a recorded conflict.
    The history of a changeset on the line is a prefix of the whole, so that one pass suffices: what
    stands between two changesets of the line is what the second one merged.

    Args:
        repository: the project.
        history: the history of a head.
    """
    recorded = {
        frozenset((conflict.left_changeset_id, conflict.right_changeset_id))
        for conflict in repository.conflicts
    }
    position = {changeset.changeset_id: place for place, changeset in enumerate(history)}
    line = first_parent_line(history)
    on_line: dict[str, Operation] = {}
    merged: list[Changeset] = []
    for changeset in history:
        if changeset.changeset_id not in line:
            merged.append(changeset)
            continue
        left, *others = changeset.parent_ids or [""]
        forks = forks_of(merged)
        brought, own = rewrites(merged), rewrites([changeset])
        is_recorded = any(frozenset((left, right)) in recorded for right in others)
        for memory_id in sorted((brought.keys() - own.keys()) & on_line.keys()):
            before, after = on_line[memory_id], brought[memory_id]
            sides = before.changeset_id, after.changeset_id
            if (
                before.content != after.content
                and not is_recorded
                and frozenset(sides) not in recorded
                and not is_behind(repository, before.changeset_id, forks, line, position)
            ):
                yield Disagreement("", *sides, [silent_choice(memory_id, changeset.changeset_id)])
        on_line |= brought | own
        merged = []


def silent_choice(memory_id: str, merge_id: str) -> Conflict:
    """What a merge chose."""
    summary = "both sides of a merge rewrote a memory, and the last one merged won"
    return Conflict("silent_merge", "warning", summary, [memory_id], merge_id)


def rewrites(changesets: Iterable[Changeset]) -> dict[str, Operation]:
    """The last operation that rewrote each memory: corrected its text, or put another in place."""
    return {
        operation.corrected_id: operation
        for changeset in changesets
        for operation in changeset.operations
        if operation.op_type == "supersede_memory"
        or (operation.op_type == "correct_memory" and operation.content)
    }


def forks_of(branch: Sequence[Changeset]) -> set[str]:
    """Where a branch left what was there before it."""
    own = {changeset.changeset_id for changeset in branch}
    return {parent for changeset in branch for parent in changeset.parent_ids} - own


def first_parent_line(history: Sequence[Changeset]) -> set[str]:
    """The head, its first parent, that one's first parent, and so on."""
    parent = {one.changeset_id: next(iter(one.parent_ids), "") for one in history}
    line: set[str] = set()
    step = history[-1].changeset_id if history else ""
    while step:
        line.add(step)
        step = parent[step]
    return line


def is_behind(
    repository: Repository,
    changeset_id: str,
    forks: set[str],
    line: set[str],
    position: Mapping[str, int],
) -> bool:
    """Whether a branch already knew a changeset when it left the history at these forks.

    On the line, all that stands before a fork is behind it; beside it, only ancestors are.
    """
    place = position[changeset_id]
    waiting = list(forks)
    seen = set(forks)
    while waiting:
        fork = waiting.pop()
        if fork == changeset_id or (fork in line and position[fork] >= place):
            return True
        if fork not in line:
            parents = [one for one in repository.by_id[fork].parent_ids if one not in seen]
            waiting += parents
            seen.update(parents)
    return False
