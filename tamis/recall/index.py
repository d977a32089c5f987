"""BM25 over plain texts in any language, and recall over a published build."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tamis.errors import ENVIRONMENT, TamisError
from tamis.recall.once import search_once
from tamis.recall.project_names import project_key
from tamis.recall.words import tokenize
from tamis.session_keys import is_non_interactive, named_agent

if TYPE_CHECKING:
    import bm25s

UNKNOWN_PROJECT = "unknown-project"

_FACT_COLUMNS = [
    "fact_id",
    "text",
    "fact_type",
    "namespace",
    "project_key",
    "worktree",
    "t_valid",
    "t_invalid",
    "capture_count",
    "source_system",
    "source_session_id",
]


@dataclass(frozen=True)
class Index:
    """Texts that can be searched; ``bm25`` is None where no text has a token."""

    size: int
    bm25: "bm25s.BM25 | None"


def build_index(texts: Sequence[str]) -> Index:
    """Index texts by their position, with BM25 as Lucene computes it (k1 1.5, b 0.75)."""
    tokens = [tokenize(text) for text in texts]
    if not any(tokens):
        return Index(len(texts), None)
    # It takes longer to load than to ask one query, and who asks one has no need of it.
    import bm25s

    bm25 = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    bm25.index(tokens, show_progress=False)
    return Index(len(texts), bm25)


def search(index: Index, query: str, limit: int) -> list[tuple[int, float]]:
    """Rank the texts that share a token with the query.

    Returns:
        (position, score) pairs, best first, at most ``limit``; equal scores stand in the order of
        their positions, so that the same store always gives the same answer.
    """
    tokens = tokenize(query)
    if index.bm25 is None or not tokens or limit < 1:
        return []
    scores = index.bm25.get_scores(tokens)
    hits = np.flatnonzero(scores > 0)
    ranked = hits[np.argsort(-scores[hits], kind="stable")][:limit]
    return [(int(position), float(scores[position])) for position in ranked]


def recall(
    published: Path,
    query: str,
    *,
    project: str | None = None,
    namespace: str | None = None,
    limit: int = 10,
    trigger: str | None = None,
    session_key: str | None = None,
    as_of: datetime | None = None,
    agent: str | None = None,
    known_at: datetime | None = None,
) -> pl.DataFrame:
    """Rank the facts of a published build that answer a query.

    Args:
        published: the folder of one published build.
        query: what is asked, in any language.
        project: a project's key, or a name that it alone bears; facts of unknown project are
            searched too. None searches all.
        namespace: whose memory; without it the named agent's of the session key, else the user's
            own. Namespaces are never mixed.
        limit: the most rows to return.
        trigger, session_key: who asks; machines (see ``is_non_interactive``) get no facts.
        as_of: a naive UTC time; facts that held at it, instead of the current ones.
        agent: whose memory, where the session key names nobody.
        known_at: a naive UTC time; what tamis knew then: what it learned later is left out, and
            what it learned later to have ended had not.

    Returns:
        One row per fact, best first: rank (from 1), score and the fact's columns.

    Raises:
        TamisError: the build holds no readable facts, or several projects bear the name.
    """
    facts = _read_facts(published)
    if is_non_interactive(trigger, session_key):
        return _ranked(facts, [])
    agent = named_agent(session_key) or agent
    if namespace is not None:
        facts = facts.filter(pl.col("namespace") == namespace)
    elif agent is not None:
        facts = facts.filter(pl.col("agent_id") == agent)
    else:
        facts = facts.filter(pl.col("agent_id").is_null())
    if project is not None:
        key = project_key(published, project, set(facts["namespace"]))
        facts = facts.filter(pl.col("project_key").is_in([key, UNKNOWN_PROJECT]))
    facts = _held(facts, as_of, known_at)
    facts = facts.sort("t_valid", "fact_id", nulls_last=True)
    return _ranked(facts, search_once(facts["text"], query, limit))


def _held(facts: pl.DataFrame, as_of: datetime | None, known_at: datetime | None) -> pl.DataFrame:
    """The facts that held at a time, by what was known at another: `facts_as_of` of publish.py."""
    has_ended = ~pl.col("is_current")
    if known_at is not None:
        facts = facts.filter(pl.col("recorded_at") <= known_at)
        has_ended &= (pl.col("expired_at") <= known_at).fill_null(True)
    if as_of is None:
        return facts.filter(~has_ended)
    had_begun = (pl.col("t_valid") <= as_of).fill_null(True)
    return facts.filter(had_begun & (~has_ended | (pl.col("t_invalid") > as_of).fill_null(False)))


def _read_facts(published: Path) -> pl.DataFrame:
    path = published / "facts.parquet"
    columns = [*_FACT_COLUMNS, "agent_id", "is_current", "recorded_at", "expired_at"]
    try:
        return pl.read_parquet(path, columns=columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TamisError(
            f"can't read the published facts {path}: run `tamis run` to publish again",
            ENVIRONMENT,
        ) from error


def _ranked(facts: pl.DataFrame, hits: list[tuple[int, float]]) -> pl.DataFrame:
    positions = [position for position, _ in hits]
    head = pl.DataFrame(
        {
            "rank": range(1, len(hits) + 1),
            "score": [score for _, score in hits],
        },
        schema={"rank": pl.Int64, "score": pl.Float64},
    )
    return pl.concat([head, facts.select(_FACT_COLUMNS)[positions]], how="horizontal")
