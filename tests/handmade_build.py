"""A small published build, written by hand in the shape of the marts, for tests of its readers."""

from datetime import datetime
from pathlib import Path
from typing import Any

from published_marts import publish_marts

BUILD_ID = "20260307-handmade"


def fact(fact_id: str, text: str, day: int = 1, **changes: Any) -> dict[str, Any]:
    """One row of facts: a current fact of the user's own memory, in no known project."""
    return {
        "fact_id": fact_id,
        "text": text,
        "fact_type": "statement",
        "namespace": "default",
        "user_id": "default",
        "agent_id": None,
        "project_key": "unknown-project",
        "worktree": None,
        "t_valid": datetime(2026, 3, day),
        "t_invalid": None,
        "recorded_at": datetime(2026, 3, day),
        "expired_at": None,
        "superseded_by": None,
        "is_current": True,
        "capture_count": 1,
        "source_system": "openclaw",
        "source_session_id": "s1",
        "source_systems": ["openclaw"],
    } | changes


def source(event_id: str, fact_id: str, relation: str = "first", **changes: Any) -> dict[str, Any]:
    """One row of fact_sources."""
    return {
        "event_id": event_id,
        "native_id": f"native-{event_id}",
        "fact_id": fact_id,
        "relation": relation,
        "source_system": "openclaw",
        "role": "user",
        "session_id": "s1",
        "project_key": "unknown-project",
        "namespace": "default",
        "occurred_at": datetime(2026, 3, 1),
    } | changes


def rejection(event_id: str, text: str | None, rule_id: str = "tool_traffic") -> dict[str, Any]:
    """One row of rejections."""
    return {
        "event_id": event_id,
        "rule_id": rule_id,
        "category": "noise",
        "reason": rule_id.replace("_", " "),
        "text": text,
        "match_position": 1 if text else None,
        "match_length": len(text) if text else None,
        "native_id": f"native-{event_id}",
        "session_id": "s1",
        "source_system": "claude_code",
        "role": "assistant",
        "project_key": "unknown-project",
        "namespace": "default",
        "occurred_at": datetime(2026, 3, 2),
    }


def write_build(
    home: Path,
    facts: list[dict[str, Any]],
    sources: list[dict[str, Any]],
    rejections: list[dict[str, Any]],
) -> Path:
    """Publish the rows in a home, CURRENT included; returns the build's folder."""
    counts: dict[tuple[str, str, str], int] = {}
    for row in sources:
        is_first = row["relation"] == "first"
        verdict, reason = ("fact", "new") if is_first else ("repeat", "same again")
        key = (row["source_system"], verdict, reason)
        counts[key] = counts.get(key, 0) + 1
    for row in rejections:
        key = (row["source_system"], "refused", row["reason"])
        counts[key] = counts.get(key, 0) + 1
    summary = [
        {
            "summary_id": "/".join(key),
            "source_system": key[0],
            "verdict": key[1],
            "reason": key[2],
            "event_count": count,
            "character_count": count * 40,
        }
        for key, count in counts.items()
    ]
    return publish_marts(
        home,
        BUILD_ID,
        facts=facts,
        fact_sources=sources,
        rejections=rejections,
        curation_summary=summary,
    )
