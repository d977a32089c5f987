"""A published build, written by hand, of what context reads: facts, sessions and histories."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
from memory_git_histories import changeset

from tamis.memory_git.published import records_of
from tamis.memory_git.records import (
    SHARED_MAIN,
    Changeset,
    LegacyEvent,
    RecordedConflict,
    Repository,
)

BUILD_ID = "20260307-handmade"
SOWER = "refs/agents/sower/main"
SHOP = "git.example/shop/api"
FACT_SCHEMA = {
    "fact_id": pl.String,
    "text": pl.String,
    "fact_type": pl.String,
    "namespace": pl.String,
    "agent_id": pl.String,
    "project_key": pl.String,
    "salience": pl.Int64,
    "tags": pl.List(pl.String),
    "confidence": pl.Float64,
    "t_valid": pl.Datetime("us"),
    "is_current": pl.Boolean,
}
SOURCE_SCHEMA = {
    "event_id": pl.String,
    "fact_id": pl.String,
    "namespace": pl.String,
    "project_key": pl.String,
    "session_id": pl.String,
    "source_entity": pl.String,
    "native_id": pl.String,
    "role": pl.String,
    "event_kind": pl.String,
    "occurred_at": pl.Datetime("us"),
}
SESSION_SCHEMA = {
    "session_id": pl.String,
    "session_key": pl.String,
    "namespace": pl.String,
    "agent_id": pl.String,
    "is_subagent": pl.Boolean,
    "last_seen_at": pl.Datetime("us"),
}
PROJECT_SCHEMA = {
    "namespace": pl.String,
    "project_key": pl.String,
    "names": pl.List(pl.String),
}
RECORD_SCHEMA = {
    "project_name": pl.String,
    "entity": pl.String,
    "changeset_id": pl.String,
    "ordinal": pl.Int64,
    "parent_ids": pl.List(pl.String),
    "is_legacy_root": pl.Boolean,
    "is_altered": pl.Boolean,
    **dict.fromkeys(
        [
            *("ref_name", "op_type", "target_id", "result_id", "memory_id", "event_id"),
            *("duplicate_id", "original_id", "from_memory_id", "to_memory_id", "content"),
            *("memory_kind", "event_type", "scope", "visibility", "tags_text"),
        ],
        pl.String,
    ),
    "confidence": pl.Float64,
    "conflict_id": pl.String,
    "left_changeset_id": pl.String,
    "right_changeset_id": pl.String,
    "status": pl.String,
    "created_at": pl.Datetime("us"),
}


def fact(fact_id: str, text: str, **changes: Any) -> dict[str, Any]:
    """A current fact of the user's own, in the shop's project."""
    return {
        "fact_id": fact_id,
        "text": text,
        "fact_type": "user_statement",
        "namespace": "default",
        "agent_id": None,
        "project_key": SHOP,
        "salience": 7,
        "tags": [],
        "confidence": None,
        "t_valid": datetime(2026, 3, 1),
        "is_current": True,
    } | changes


def source(event_id: str, fact_id: str, minute: int, **changes: Any) -> dict[str, Any]:
    """An event of the session `ses-1` that a fact was made of."""
    return {
        "event_id": event_id,
        "fact_id": fact_id,
        "namespace": "default",
        "project_key": SHOP,
        "session_id": "ses-1",
        "source_entity": "entries",
        "native_id": None,
        "role": "user",
        "event_kind": "turn",
        "occurred_at": datetime(2026, 3, 1, 9, minute),
    } | changes


def session(session_id: str, session_key: str, **changes: Any) -> dict[str, Any]:
    """A session of the user's own."""
    return {
        "session_id": session_id,
        "session_key": session_key,
        "namespace": "default",
        "agent_id": None,
        "is_subagent": False,
        "last_seen_at": datetime(2026, 3, 1),
    } | changes


def garden() -> Repository:
    """A project with a branch that nobody merged, and a conflict between two that were."""
    conflict = RecordedConflict("cf-1", "left", "right", "open", datetime(2026, 2, 3))
    adds = ("add_memory", {"content": "Water at six", "kind": "decision", "result": "watering"})
    return Repository(
        "garden",
        [
            Changeset("root", "garden", is_legacy_root=True, created_at=datetime(2026, 1, 1)),
            changeset("add", ["root"], adds, ("add_memory", {"content": "비료는 삼월에 준다"})),
            changeset("left", ["add"], ("add_memory", {"content": "Beans face west"})),
            changeset("right", ["add"], ("add_memory", {"content": "Beans face east"})),
            changeset(
                "merge", ["left", "right"], ("add_memory", {"content": "Peas by the port wall"})
            ),
            changeset("wish", ["merge"], ("add_memory", {"content": "Sower's own wish"})),
        ],
        {SHARED_MAIN: "merge", SOWER: "wish"},
        [
            LegacyEvent("evt-1", "record", "The shed is green", datetime(2025, 12, 1)),
            LegacyEvent("evt-9", "record", "Past the root", datetime(2026, 2, 1)),
        ],
        conflicts=[conflict],
    )


def write_memory(
    home: Path,
    facts: Iterable[dict[str, Any]] = (),
    *,
    sources: Iterable[dict[str, Any]] = (),
    sessions: Iterable[dict[str, Any]] = (),
    projects: Sequence[dict[str, Any]] | None = None,
    histories: Iterable[Repository] = (),
) -> Path:
    """Publish them in a home, CURRENT included; returns the build's folder.

    Args:
        home: the home folder.
        facts: rows of facts.
        sources: rows of fact_sources.
        sessions: rows of sessions.
        projects: rows of projects; those of the facts unless given.
        histories: Memory Git projects.
    """
    facts = list(facts)
    keys = sorted({(row["namespace"], row["project_key"]) for row in facts})
    named = [
        {"namespace": namespace, "project_key": key, "names": [key.rpartition("/")[2]]}
        for namespace, key in keys
    ]
    records = [
        {"is_legacy_root": False, "is_altered": False, **record, "project_name": one.project_id}
        for one in histories
        for record in records_of(one)
    ]
    published = home / "published" / BUILD_ID
    published.mkdir(parents=True)
    for mart, rows, schema in (
        ("facts", facts, FACT_SCHEMA),
        ("fact_sources", list(sources), SOURCE_SCHEMA),
        ("sessions", list(sessions), SESSION_SCHEMA),
        ("projects", named if projects is None else list(projects), PROJECT_SCHEMA),
        ("memory_records", records, RECORD_SCHEMA),
    ):
        pl.DataFrame(rows, schema=schema).write_parquet(published / f"{mart}.parquet")
    (home / "published" / "CURRENT").write_text(BUILD_ID, encoding="utf-8")
    return published
