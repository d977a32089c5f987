"""What a session has said of itself: its newest summary, and its last events that were kept."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tamis.context.asking import Asker
from tamis.context.marts import mart
from tamis.context.projects import Project
from tamis.recall.store import UNKNOWN_PROJECT

MOST_EVENTS = 5
# Memory that was written to a history counts where the history accepted it, and nowhere else.
OF_HISTORIES = ("changeset_ops", "context_memories")
SOURCE_COLUMNS = (
    *("event_id", "fact_id", "namespace", "project_key", "session_id", "source_entity"),
    *("native_id", "role", "event_kind", "occurred_at"),
)


@dataclass(frozen=True)
class Said:
    """A summary or an event of a session."""

    event_id: str
    kind: str
    speaker: str
    text: str


def said_in(
    published: Path, project: Project, asker: Asker, left_out: Collection[str]
) -> tuple[Said | None, list[Said]]:
    """The newest summary of the asker's session, and its last events, oldest first.

    Args:
        published: the folder of one published build.
        project: events of other projects are left out.
        asker: whose session, and whose memory.
        left_out: memories that are shown already, or that the accepted history withholds or
            retired.
    """
    if not asker.session_id:
        return None, []
    sources = mart(published, "fact_sources", SOURCE_COLUMNS).filter(
        (pl.col("session_id") == asker.session_id)
        & (pl.col("namespace") == asker.namespace)
        & pl.col("project_key").is_in([*project.keys, UNKNOWN_PROJECT])
        & ~pl.col("source_entity").is_in(OF_HISTORIES)
    )
    if sources.is_empty():
        return None, []
    known = pl.Series(list(left_out), dtype=pl.String).implode()
    sources = sources.filter(
        ~pl.col("fact_id").is_in(known) & ~pl.col("native_id").fill_null("").is_in(known)
    )
    current = mart(published, "facts", ("fact_id", "text", "is_current")).filter("is_current")
    told = sources.join(current, on="fact_id").sort(
        "occurred_at", "event_id", descending=[True, False], nulls_last=True
    )
    # The same statement again says nothing new.
    told = told.unique("fact_id", keep="first", maintain_order=True)
    summaries = told.filter(pl.col("event_kind") == "summary").head(1)
    events = told.filter(pl.col("event_kind") != "summary").head(MOST_EVENTS)
    summary = next((said(row) for row in summaries.iter_rows(named=True)), None)
    return summary, [said(row) for row in events.iter_rows(named=True)][::-1]


def said(row: Mapping[str, Any]) -> Said:
    """An event as it is told."""
    kind = "summary" if row["event_kind"] == "summary" else "event"
    return Said(row["event_id"], kind, row["role"] or row["event_kind"], row["text"])
