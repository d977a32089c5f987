"""The rungs of curation: what one build would give to recall, had curation stopped there.

raw           every captured event, its text as it was stored
stripped      the same events, their clean text: the *before* of every comparison
noise-free    without the events that curation refuses
deduplicated  every statement once
superseded    the current statements
grouped       the same, where near-duplicates share a slot: the *after*

All rungs but the first hold clean text. A prefix alone lifts BM25, since it evens out the length of
documents: a before with prefixes would be measured against something else than curation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from tamis.errors import TamisError
from tamis.evaluation.captures import Label
from tamis.publish import read_mart
from tamis.warehouse import connect

RAW, STRIPPED, NOISE_FREE = "raw", "stripped", "noise-free"
DEDUPLICATED, SUPERSEDED, GROUPED = "deduplicated", "superseded", "grouped"
BEFORE, AFTER = STRIPPED, GROUPED
SCHEMA = {
    "fact_id": pl.String,
    "text": pl.String,
    "namespace": pl.String,
    "project_key": pl.String,
    "t_valid": pl.Datetime("us"),
    "t_invalid": pl.Datetime("us"),
    "is_current": pl.Boolean,
    "source_system": pl.String,
    "source_session_id": pl.String,
    "answer": pl.String,
    "kind": pl.String,
    "is_noise": pl.Boolean,
    "fresh": pl.String,
}
PAIRS: dict[str, Any] = {
    "fact_id": pl.String,
    "other_fact_id": pl.String,
    "similarity_score": pl.Float64,
    "guards": pl.List(pl.String),
}


@dataclass(frozen=True)
class Rung:
    """What recall would search.

    Attributes:
        name: one of the names above.
        documents: one row per document, the columns of `SCHEMA`: `answer` is the clean text that
            it counts for, `fresh` the text that replaced it where it is known to be stale.
        pairs: near-duplicates, where they share a slot.
    """

    name: str
    documents: pl.DataFrame
    pairs: pl.DataFrame | None = None


@dataclass(frozen=True)
class Build:
    """What is read of a published build.

    Attributes:
        events: one row per event: event_id, native_id, fact_id (null where refused), text, and
            where and when it was captured.
        facts: the facts, all versions.
        pairs: the near-duplicates.
        raw: the texts of events as they were stored, where the warehouse still knows them.
    """

    events: pl.DataFrame
    facts: pl.DataFrame
    pairs: pl.DataFrame
    raw: pl.DataFrame | None


Reader = Callable[[str, list[str]], pl.DataFrame]


def read_build(published: Path, home: Path | None = None) -> Build:
    """Read a published build.

    Args:
        published: its folder.
        home: the home whose warehouse knows the texts as they were stored; None leaves them out.

    Raises:
        TamisError: exit 3 where the build can't be read.
    """

    def read(mart: str, columns: list[str]) -> pl.DataFrame:
        return read_mart(published, mart, columns)

    has_pairs = (published / "near_duplicates.parquet").exists()
    return build_of(read, has_pairs, stored_texts(home) if home else None)


def read_built(connection: duckdb.DuckDBPyConnection) -> Build:
    """Read the built marts of a warehouse, before they are published."""

    def read(mart: str, columns: list[str]) -> pl.DataFrame:
        return connection.execute(f"select {', '.join(columns)} from marts.{mart}").pl()

    return build_of(read, True, None)


def build_of(read: Reader, has_pairs: bool, raw: pl.DataFrame | None) -> Build:
    """A build, from a reader of columns of its marts."""
    place = ["namespace", "project_key", "source_system"]
    at = ["event_id", "native_id", "session_id", "occurred_at", *place]
    facts = read(
        "facts",
        ["fact_id", "text", *place, "source_session_id", "t_valid", "t_invalid", "is_current"],
    )
    sources = read("fact_sources", ["fact_id", "relation", *at])
    kept = sources.join(facts.select("fact_id", "text"), on="fact_id", how="inner")
    refused = read("rejections", ["text", *at]).with_columns(
        fact_id=pl.lit(None, pl.String), relation=pl.lit(None, pl.String)
    )
    events = pl.concat([kept, refused.select(kept.columns)]).with_columns(
        pl.col("text").fill_null("")
    )
    return Build(
        events.sort("occurred_at", "event_id", nulls_last=True),
        facts.sort("t_valid", "fact_id", nulls_last=True),
        read("near_duplicates", list(PAIRS)) if has_pairs else pl.DataFrame(schema=PAIRS),
        raw,
    )


def stored_texts(home: Path) -> pl.DataFrame | None:
    """The texts of events as they were stored: event_id, content.

    None while a build holds the warehouse, or before there is one: that disturbs no reader.
    """
    try:
        connection = connect(home, read_only=True)
    except TamisError:
        return None
    try:
        return connection.execute(
            "select event_id, content from intermediate.int_events_unioned"
        ).pl()
    except duckdb.Error:
        return None
    finally:
        connection.close()


def rungs(build: Build, labels: Mapping[str, Label] | None = None) -> list[Rung]:
    """What each rung gives to recall, from raw to grouped; raw only where it is known.

    Args:
        build: a published build.
        labels: what is known of planted events by their native ids. Where nothing is known, a
            document counts for its own text, and what curation refuses counts as noise.
    """
    events = labelled(build.events, labels or {})
    stripped = documents(events.filter(pl.col("text") != ""))
    found = [
        Rung(STRIPPED, stripped),
        Rung(NOISE_FREE, documents(events.filter(pl.col("relation").is_not_null()))),
    ]
    if build.raw is not None:
        stored = events.join(build.raw, on="event_id", how="left").with_columns(
            text=pl.coalesce("content", "text")
        )
        found.insert(0, Rung(RAW, documents(stored.filter(pl.col("text") != ""))))
    firsts = events.filter(relation="first").select("fact_id", "answer", "kind", "fresh")
    facts = build.facts.join(firsts, on="fact_id", how="left").with_columns(
        answer=pl.coalesce("answer", "text"),
        kind=pl.coalesce("kind", pl.lit("turn")),
    )
    facts = facts.with_columns(is_noise=pl.col("kind").is_in(NOISE)).select(*SCHEMA)
    timeless = facts.with_columns(is_current=True, t_invalid=pl.lit(None, pl.Datetime("us")))
    return [
        *found,
        Rung(DEDUPLICATED, timeless),
        # A closed version still answers for the time that it held.
        Rung(SUPERSEDED, facts),
        Rung(GROUPED, facts, build.pairs),
    ]


NOISE = ("noise", "loop", "invention", "refused")


def known_of(labels: Mapping[str, Label]) -> pl.DataFrame:
    """What is known of planted events: native_id, answer, kind, fresh."""
    rows = [
        (native_id, label.stands_for, label.kind, label.replaced_by)
        for native_id, label in labels.items()
    ]
    names = ("native_id", "answer", "kind", "fresh")
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def labelled(events: pl.DataFrame, labels: Mapping[str, Label]) -> pl.DataFrame:
    """Events with what they count for, what kind they are, and what replaced them."""
    unknown = pl.when(pl.col("fact_id").is_null()).then(pl.lit("refused")).otherwise(pl.lit("turn"))
    return (
        events.join(known_of(labels), on="native_id", how="left", maintain_order="left")
        .with_columns(
            answer=pl.coalesce("answer", "text"),
            kind=pl.coalesce("kind", unknown),
        )
        .with_columns(is_noise=pl.col("kind").is_in(NOISE))
    )


def documents(events: pl.DataFrame) -> pl.DataFrame:
    """Events as documents, in the order of their times."""
    return events.with_columns(
        fact_id="event_id",
        t_valid="occurred_at",
        t_invalid=pl.lit(None, pl.Datetime("us")),
        is_current=True,
        source_session_id="session_id",
    ).select(*SCHEMA)
