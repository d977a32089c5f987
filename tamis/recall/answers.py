"""What a published build answers to a question, as rows."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import polars as pl

from tamis.recall.project_names import project_key
from tamis.recall.rules import AUTOMATIC, EXPLICIT
from tamis.recall.search import DEFAULT, Hit, Query, search
from tamis.recall.store import Store

RULES = {"none": None, "explicit": EXPLICIT, "automatic": AUTOMATIC}

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


def recall(
    published: Path,
    query: str,
    *,
    project: str | None = None,
    namespace: str | None = None,
    worktree: str | None = None,
    limit: int = 10,
    trigger: str | None = None,
    session_key: str | None = None,
    as_of: datetime | None = None,
    rules: str = "none",
    new_session: bool = False,
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
        worktree: a linked worktree; facts of none are searched too. None searches all.
        limit: the most rows to return.
        trigger, session_key: who asks; machines (see ``is_non_interactive``) get no facts.
        as_of: a naive UTC time; facts that held at it, instead of the current ones.
        rules: what is dropped of the ranked facts: none, or as mem0 has it for explicit searches
            or for automatic recall.
        new_session: the query opens a session.
        agent: whose memory, where the session key names nobody.
        known_at: a naive UTC time; what tamis knew then: what it learned later is left out, and
            what it learned later to have ended had not.

    Returns:
        One row per fact, best first: rank (from 1), score, the fact's columns, its relevance and
        stands_for, the ids of near duplicates that share its slot.

    Raises:
        TamisError: the build holds no readable facts, or several projects bear the name.
    """
    store = Store.open(published)
    asked = Query(
        query,
        namespace=namespace,
        worktree=worktree,
        session_key=session_key,
        trigger=trigger,
        as_of=as_of,
        agent=agent,
        known_at=known_at,
        is_new_session=new_session,
    )
    if project is not None:
        searched = set(store.facts.filter(store.visible(asked))["namespace"].unique())
        asked = replace(asked, project=project_key(published, project, searched))
    return _rows(store, search(store, asked, replace(DEFAULT, limit=limit, rules=RULES[rules])))


def _rows(store: Store, hits: list[Hit]) -> pl.DataFrame:
    head = pl.DataFrame(
        {"rank": range(1, len(hits) + 1), "score": [hit.score for hit in hits]},
        schema={"rank": pl.Int64, "score": pl.Float64},
    )
    tail = pl.DataFrame(
        {
            "relevance": [hit.relevance for hit in hits],
            "stands_for": [list(hit.stands_for) for hit in hits],
        },
        schema={"relevance": pl.Float64, "stands_for": pl.List(pl.String)},
    )
    facts = store.facts.select(_FACT_COLUMNS)[[hit.position for hit in hits]]
    return pl.concat([head, facts, tail], how="horizontal")
