"""The accepted memory of a project at one head: the contract `memory-context/v1`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tamis.memory_git.history import LONGEST_HISTORY, history_at
from tamis.memory_git.projection import (
    Memory,
    Projection,
    Relationship,
    project,
    unresolved_conflicts,
)
from tamis.memory_git.ranking import ranked, selected
from tamis.memory_git.records import SHARED_MAIN, Repository

PROJECTION_VERSION = "memory-context/v1"
OUT_OF_LIMIT = "outside selected context limit"


@dataclass(frozen=True)
class MemoryContext:
    """What a ref shows of its project's memory at one head, to one query.

    Attributes:
        history: the changesets that led to the head, in the order in which they counted.
        total_active: how many memories might have been selected.
        memories: the selected ones, the best first.
        scores: how many words of the query each of them holds.
        relationships: the accepted relationships, save those to memories in dispute.
        unresolved_conflicts: the open conflicts with a side in the history.
        inclusion_reasons: why each memory is selected.
        exclusion_reasons: why others are not, as the contract tells it.
        blank_ids: memories that hold nothing but white space, of which the contract says nothing.
    """

    project_id: str
    ref_name: str
    head_changeset_id: str
    history: Sequence[str]
    total_active: int
    memories: Sequence[Memory]
    scores: Mapping[str, int]
    relationships: Sequence[Relationship]
    unresolved_conflicts: Sequence[str]
    inclusion_reasons: Mapping[str, str]
    exclusion_reasons: Mapping[str, str]
    blank_ids: Sequence[str]
    projection_version: str = PROJECTION_VERSION


@dataclass(frozen=True)
class AcceptedHead:
    """What a ref accepted up to a head, before anything is asked of it.

    Attributes:
        history: the changesets that led to the head.
        projection: what they made of the memories, those in dispute withheld.
        unresolved_conflicts: the open conflicts with a side in the history.
    """

    project_id: str
    ref_name: str
    history: Sequence[str]
    projection: Projection
    unresolved_conflicts: Sequence[str]


def accepted_at(
    repository: Repository, ref: str, head: str = "", longest_history: int = LONGEST_HISTORY
) -> AcceptedHead:
    """What a ref accepted up to a head; many queries may be asked of it.

    Args:
        repository: the project.
        ref: the ref whose history counts.
        head: an older head of that ref; its newest unless given.
        longest_history: the most changesets that are read.

    Raises:
        HistoryError: the ref is unknown, the head is not in its history, or the history is broken
            or too long.
    """
    history = history_at(repository, ref, head, longest_history)
    projection = project(repository, history)
    conflicts, conflict_of = unresolved_conflicts(repository.conflicts, history)
    projection.withhold(conflict_of)
    names = [changeset.changeset_id for changeset in history]
    return AcceptedHead(repository.project_id, ref, names, projection, conflicts)


def memory_context(
    repository: Repository,
    ref: str = SHARED_MAIN,
    head: str = "",
    query: str = "",
    limit: int = 0,
    longest_history: int = LONGEST_HISTORY,
) -> MemoryContext:
    """The memories that a ref accepted, ranked for a query.

    Args:
        repository: the project.
        ref: the ref whose history counts.
        head: an older head of that ref; its newest unless given.
        query: what the memories are wanted for.
        limit: how many are selected, at most 100; 20 unless given.
        longest_history: the most changesets that are read.

    Raises:
        HistoryError: see `accepted_at`.
    """
    return context_of(accepted_at(repository, ref, head, longest_history), query, limit)


def context_of(accepted: AcceptedHead, query: str = "", limit: int = 0) -> MemoryContext:
    """What was accepted, ranked for a query, of which at most so many memories are selected."""
    memories = accepted.projection.memories.values()
    shown = [memory for memory in memories if memory.is_shown]
    chosen, left_out = selected(ranked(shown, query), limit)
    exclusion_reasons = accepted.projection.exclusion_reasons | {
        memory.memory_id: OUT_OF_LIMIT for _, memory in left_out
    }
    return MemoryContext(
        project_id=accepted.project_id,
        ref_name=accepted.ref_name,
        head_changeset_id=accepted.history[-1],
        history=accepted.history,
        total_active=len(shown),
        memories=[memory for _, memory in chosen],
        scores={memory.memory_id: score for score, memory in chosen},
        relationships=accepted.projection.relationships,
        unresolved_conflicts=accepted.unresolved_conflicts,
        inclusion_reasons={memory.memory_id: inclusion_reason(score) for score, memory in chosen},
        exclusion_reasons=exclusion_reasons,
        blank_ids=sorted(
            memory.memory_id for memory in memories if memory.is_active and not memory.is_shown
        ),
    )


def inclusion_reason(score: int) -> str:
    """Why a memory with that score is selected."""
    return f"query relevance score {score}" if score else "most recent active accepted memory"
