"""The accepted memory of a project, the best first: its Memory Git history, else its facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from tamis.context.asking import Asker
from tamis.context.marts import mart
from tamis.context.projects import Project, refs_of_histories
from tamis.context.request import ContextError, ContextRequest
from tamis.memory_git.context import (
    PROJECTION_VERSION,
    AcceptedHead,
    accepted_at,
    context_of,
)
from tamis.memory_git.history import HistoryError, UnreachableHead
from tamis.memory_git.projection import Memory
from tamis.memory_git.published import repository_from
from tamis.memory_git.ranking import LARGEST_LIMIT, USUAL_LIMIT
from tamis.memory_git.records import SHARED_MAIN, Repository
from tamis.recall.search import DEFAULT, Query, search
from tamis.recall.store import Store

FACTS_VERSION = "tamis-facts/v1"
FACT_COLUMNS = (
    *("fact_id", "text", "fact_type", "namespace", "project_key", "salience", "tags"),
    *("confidence", "t_valid", "is_current"),
)


@dataclass(frozen=True)
class Accepted:
    """The accepted memory of a project at one head.

    Attributes:
        source: `memory_git`, or `facts` for a project without such a history.
        head: the changeset, or the published build.
        version: by which contract the memories were made and ranked.
        total_active: how many memories might have been selected.
        memories: the selected ones, the best first.
        inclusion_reasons: why each is selected.
        exclusion_reasons: why others are not.
        unresolved_conflicts: the open conflicts that the history meets.
        relationships: the accepted relationships.
    """

    source: str
    head: str
    version: str
    total_active: int
    memories: Sequence[Mapping[str, Any]]
    inclusion_reasons: Mapping[str, str]
    exclusion_reasons: Mapping[str, str]
    unresolved_conflicts: Sequence[str] = ()
    relationships: Sequence[Mapping[str, Any]] = field(default_factory=list)


def accepted_memory(
    published: Path, project: Project, asker: Asker, request: ContextRequest
) -> Accepted:
    """The accepted memory that a request asks for.

    Raises:
        ContextError: the ref is unknown or another's, the head is not in its history, or the
            history can't be shown.
    """
    refs = [SHARED_MAIN]
    if project.has_history:
        refs = refs_of_histories(published, asker)[project.name]
    if request.ref not in refs:
        held = ", ".join(refs) or "none"
        raise ContextError(
            "unknown_ref", f"no ref {request.ref} in project {project.name}: it has {held}"
        )
    if project.has_history:
        return of_history(published, project, request)
    return of_facts(published, project, asker, request)


@lru_cache(maxsize=4)
def repository_at(published: Path, project_id: str) -> Repository:
    """A project's Memory Git records, from a published build."""
    records = published_records(published)
    rows = records.filter(project_name=project_id).iter_rows(named=True)
    return repository_from(project_id, rows)


def published_records(published: Path) -> pl.DataFrame:
    """The mart of Memory Git's records, whole."""
    path = published / "memory_records.parquet"
    return mart(published, "memory_records", tuple(pl.read_parquet_schema(path)))


@lru_cache(maxsize=8)
def accepted_head(published: Path, project_id: str, ref: str, head: str) -> AcceptedHead:
    """What a ref of a published build accepted up to a head: projected once, asked often."""
    return accepted_at(repository_at(published, project_id), ref, head)


def of_history(published: Path, project: Project, request: ContextRequest) -> Accepted:
    """What a history shows at a head, by `memory-context/v1`."""
    try:
        accepted = accepted_head(published, project.name, request.ref, request.head)
    except UnreachableHead as error:
        raise ContextError("unreachable_head", str(error)) from error
    except HistoryError as error:
        raise ContextError("unusable_history", str(error), error.exit_code) from error
    shown = context_of(accepted, request.query, request.limit)
    return Accepted(
        "memory_git",
        shown.head_changeset_id,
        PROJECTION_VERSION,
        shown.total_active,
        [memory_as_told(memory, shown.scores[memory.memory_id]) for memory in shown.memories],
        shown.inclusion_reasons,
        dict(sorted(shown.exclusion_reasons.items())),
        shown.unresolved_conflicts,
        [
            {
                "from_memory_id": one.from_memory_id,
                "to_memory_id": one.to_memory_id,
                "kind": one.kind,
                "changeset_id": one.changeset_id,
            }
            for one in shown.relationships
        ],
    )


def memory_as_told(memory: Memory, score: int) -> dict[str, Any]:
    """A memory as it is handed out."""
    return {
        "memory_id": memory.memory_id,
        "content": memory.content,
        "kind": memory.kind,
        "event_type": memory.event_type,
        "scope": memory.scope,
        "visibility": memory.visibility,
        "tags": list(memory.tags),
        "confidence": memory.confidence,
        "status": memory.status,
        "source": memory.source,
        "score": score,
        "introduced_by_changeset_id": memory.introduced_by,
        "last_changed_by_changeset_id": memory.last_changed_by,
    }


def of_facts(published: Path, project: Project, asker: Asker, request: ContextRequest) -> Accepted:
    """The current facts of a project: the accepted memory of one without a history.

    Those that `tamis recall` finds by the words of the query come first, as it ranks them; then the
    most salient, and of these the most recent.
    """
    build_id = published.name
    if request.head not in ("", build_id):
        raise ContextError(
            "unreachable_head",
            f"head {request.head} is not the published build {build_id}:"
            f" {project.name} has no Memory Git history, so there is no other head",
        )
    facts = (
        mart(published, "facts", FACT_COLUMNS)
        .filter(
            (pl.col("namespace") == asker.namespace)
            & pl.col("project_key").is_in(project.keys)
            & pl.col("is_current")
        )
        .sort("t_valid", "fact_id", nulls_last=True)
    )
    limit = min(request.limit, LARGEST_LIMIT) if request.limit > 0 else USUAL_LIMIT
    hits = found(facts, published, project, asker, request.query, limit)
    weight = facts.select("salience", "t_valid", "fact_id", position=pl.int_range(pl.len())).sort(
        "salience", "t_valid", "fact_id", descending=[True, True, False], nulls_last=True
    )
    others = [one for one in weight["position"].head(limit + len(hits)) if one not in hits]
    chosen = [*hits, *others][:limit]
    memories = [
        fact_as_told(row, hits.get(position, 0.0))
        for position, row in zip(chosen, facts[chosen].iter_rows(named=True), strict=True)
    ]
    return Accepted(
        "facts",
        build_id,
        FACTS_VERSION,
        facts.height,
        memories,
        {
            memory["memory_id"]: f"query relevance score {memory['score']:.4f}"
            if memory["score"]
            else "most salient current fact"
            for memory in memories
        },
        {},
    )


def found(
    facts: pl.DataFrame,
    published: Path,
    project: Project,
    asker: Asker,
    query: str,
    limit: int,
) -> dict[int, float]:
    """The rows of a project's facts that answer a query, best first, each with its score.

    Vectors are left out: a manifest pins what a build shows, whatever encoder is set up later.
    """
    asked = Query(query, namespace=asker.namespace, only_projects=tuple(project.keys))
    settings = replace(DEFAULT, limit=limit, dense=False)
    scores = {hit.fact_id: hit.score for hit in search(store_of(published), asked, settings)}
    rows = facts.select("fact_id", position=pl.int_range(pl.len())).filter(
        pl.col("fact_id").is_in(list(scores))
    )
    positions = dict(rows.iter_rows())
    return {positions[fact_id]: score for fact_id, score in scores.items()}


@lru_cache(maxsize=4)
def store_of(published: Path) -> Store:
    """The facts of a published build with their index: opened once, asked often."""
    return Store.open(published)


def fact_as_told(fact: Mapping[str, Any], score: float) -> dict[str, Any]:
    """A fact in the form of a memory."""
    return {
        "memory_id": fact["fact_id"],
        "content": fact["text"],
        "kind": fact["fact_type"],
        "event_type": "",
        "scope": fact["project_key"],
        "visibility": "",
        "tags": fact["tags"] or [],
        "confidence": fact["confidence"],
        "status": "active",
        "source": "facts",
        "score": round(score, 6),
        "introduced_by_changeset_id": "",
        "last_changed_by_changeset_id": "",
    }
