"""A published build, written by hand, of what context reads: facts, sessions and histories."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_git_histories import changeset
from published_marts import memory_rows, publish_marts

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
    return publish_marts(
        home,
        BUILD_ID,
        facts=facts,
        fact_sources=list(sources),
        sessions=list(sessions),
        projects=named if projects is None else projects,
        memory_records=memory_rows(*histories),
    )
