"""The changesets behind a head, parents first, in the one order in which they count."""

from collections.abc import Iterator, Sequence

from tamis.errors import USAGE, TamisError
from tamis.memory_git.records import Changeset, Repository

# A history cut short would show memories that later changesets retired.
LONGEST_HISTORY = 100_000


class HistoryError(TamisError):
    """A history that can't be shown: broken, unknown, unreachable or too long."""

    def __init__(self, message: str) -> None:
        super().__init__(message, USAGE)


class UnreachableHead(HistoryError):
    """A head that the ref never accepted."""


def history_of(
    repository: Repository, head: str, longest: int = LONGEST_HISTORY
) -> list[Changeset]:
    """The changesets that lead to a head: depth first, first parent first, each once.

    The history of the first parent is a prefix of its child's: an accepted past never changes its
    order when something is merged.

    Args:
        repository: the project.
        head: the changeset to end with.
        longest: the most changesets that are read.

    Raises:
        HistoryError: a changeset is missing, altered, another project's or its own ancestor, or
            there are more than `longest`; such a history is never shown in part.
    """
    return unapplied_history(repository, head, {}, longest)


def unapplied_history(
    repository: Repository, head: str, applied: dict[str, None], longest: int = LONGEST_HISTORY
) -> list[Changeset]:
    """The part of a head's history that was not applied before, in its order.

    Args:
        repository: the project.
        head: the changeset to end with.
        applied: the changesets that need not come again, in their order; what is returned is
            added to them.
        longest: the most changesets that are read.

    Raises:
        HistoryError: see `history_of`.
    """
    order: list[Changeset] = []
    begun: set[str] = set()
    path = [entered(repository, head, begun)]
    while path:
        changeset, parents = path[-1]
        for parent_id in parents:
            if parent_id in applied:
                continue
            if parent_id in begun:
                raise HistoryError(f"cycle detected at {parent_id}")
            path.append(entered(repository, parent_id, begun))
            break
        else:
            path.pop()
            applied[changeset.changeset_id] = None
            order.append(changeset)
        if len(begun) > longest:
            raise HistoryError(
                f"the history of {head} holds more than {longest} changesets: ask for an older head"
            )
    return order


def entered(
    repository: Repository, changeset_id: str, begun: set[str]
) -> tuple[Changeset, Iterator[str]]:
    """A changeset whose parents are to be looked at, first parent first."""
    changeset = changeset_of(repository, changeset_id)
    begun.add(changeset_id)
    return changeset, iter(changeset.parent_ids)


def changeset_of(repository: Repository, changeset_id: str) -> Changeset:
    """One changeset of the project.

    Raises:
        HistoryError: it is missing, another project's, or was altered.
    """
    changeset = repository.by_id.get(changeset_id)
    if changeset is None:
        raise HistoryError(f"changeset not found: {changeset_id}")
    if changeset.project_id != repository.project_id:
        raise HistoryError(
            f"changeset {changeset_id} belongs to project {changeset.project_id},"
            f" not to {repository.project_id}"
        )
    if changeset.is_altered:
        raise HistoryError(f"changeset {changeset_id} was altered after it was written")
    return changeset


def history_at(
    repository: Repository, ref: str, head: str = "", longest: int = LONGEST_HISTORY
) -> Sequence[Changeset]:
    """The history of a ref, or of an older head of it.

    Args:
        repository: the project.
        ref: the name of the ref.
        head: a changeset of the ref's history; the ref's own head unless given.
        longest: the most changesets that are read.

    Raises:
        HistoryError: the ref is unknown, its history is broken or too long, or the head is not
            in it: a branch that was never merged is not what the ref accepted.
    """
    if ref not in repository.refs:
        raise HistoryError("memory ref not found")
    tip = repository.refs[ref]
    history = history_of(repository, tip, longest)
    if head in ("", tip):
        return history
    if all(changeset.changeset_id != head for changeset in history):
        raise UnreachableHead(f"head changeset {head} is not reachable from ref {ref}")
    return history_of(repository, head, longest)
