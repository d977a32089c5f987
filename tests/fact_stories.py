"""Memories that stores hold, operations on them, and the facts that the models make of both."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from plain_build import CHANGE_COLUMNS, EVENT_COLUMNS, PROJECT, PlainBuild

BEGIN = datetime(2026, 6, 1)
RECORD_COLUMNS = {
    **dict.fromkeys(
        ("record_id", "source_entity", "record_kind", "container", "origin"), "varchar"
    ),
    "position": "bigint",
    "origin_modified_at": "timestamp",
    "landed_at": "timestamp",
}
STATEMENT_COLUMNS = {
    **dict.fromkeys(
        ("event_id", "root_event_id", "capture_id", "copy_kind", "cover_rule", "rule_id"), "varchar"
    ),
    **dict.fromkeys(
        ("namespace", "own_project_key", "project_key", "project_found_by", "body_hash"), "varchar"
    ),
    "capture_order": "bigint",
    "event_order": "bigint",
}
INVARIANTS = sorted((PROJECT / "tests" / "invariants").glob("*.sql"))


@dataclass(frozen=True)
class Memory:
    """A memory that a store holds: its native id, text and day (None where nobody noted it)."""

    native_id: str
    text: str
    day: float | None
    agent: str | None = None
    project: str | None = None


@dataclass(frozen=True)
class Change:
    """An explicit operation on a memory: kind, target, replacement and day."""

    kind: str
    target: str
    replacement: str | None = None
    day: float | None = None


def moment(day: float | None) -> datetime | None:
    return None if day is None else BEGIN + timedelta(days=day)


Story = tuple[Sequence[Memory], Sequence[Change]]


def facts(stories: Sequence[Story]) -> list[list[str]]:
    """Of each story, told to a user of its own: each fact as `text begin-end`, in days, with a `*`
    behind what is current. Invariants hold."""
    told: list[list[str]] = [[] for _ in stories]
    for user, text, begin, end, is_current in built(stories).rows(
        "select user_id, text, t_valid, t_invalid, is_current from built.facts"
        " order by text, t_valid nulls first, namespace, project_key"
    ):
        told[int(user.removeprefix("user"))].append(
            f"{text} {days(begin)}-{days(end)}{'*' if is_current else ''}"
        )
    return told


def built(stories: Sequence[Story]) -> PlainBuild:
    """A whole build of stories, each told to a user of its own. Invariants hold."""
    build = PlainBuild(sources=())
    give(build, "stg_tamis__sightings", EVENT_COLUMNS, sightings(stories))
    give(
        build,
        "stg_tamis__records",
        RECORD_COLUMNS,
        [
            {
                "record_id": event["record_id"],
                "source_entity": event["source_entity"],
                "container": "c",
                "origin": "file",
                "position": number,
                "landed_at": BEGIN,
            }
            for number, event in enumerate(sightings(stories))
        ],
    )
    give(build, "stg_tamis__changes", CHANGE_COLUMNS, changes(stories))
    build.build("facts", "fact_sources", "fact_corrections", "rejections")
    for invariant in INVARIANTS:
        assert build.rows(invariant.read_text(encoding="utf-8")) == [], invariant.stem
    return build


def versions(stories: Sequence[Story]) -> PlainBuild:
    """The models from statements to versions alone: a build of stories in a fraction of a second.

    A statement's hash is its text.
    """
    build = PlainBuild(sources=())
    events = sightings(stories)
    give(build, "int_events_unioned", EVENT_COLUMNS, events)
    give(
        build,
        "int_statements_resolved",
        STATEMENT_COLUMNS,
        [
            {
                "event_id": event["event_id"],
                "root_event_id": event["event_id"],
                "capture_id": event["event_id"],
                "capture_order": number,
                "event_order": number,
                "namespace": f"{event['user_id']}/{event['agent_id']}",
                "project_key": json.loads(event["metadata"])["project_name"] or "unknown-project",
                "own_project_key": json.loads(event["metadata"])["project_name"],
                "body_hash": event["content"],
            }
            for number, event in enumerate(
                sorted(
                    events,
                    key=lambda event: (
                        event["occurred_at"] is None,
                        event["occurred_at"] or BEGIN,
                        event["event_id"],
                    ),
                )
            )
        ],
    )
    give(build, "stg_tamis__changes", CHANGE_COLUMNS, changes(stories))
    build.build("int_events_deduplicated", "int_changes_recorded")
    return build


def sightings(stories: Sequence[Story]) -> list[dict[str, Any]]:
    """The events of the stories' memories, in the order in which they are told."""
    return [
        {
            "event_id": f"{user}/{memory.native_id}/{memory.agent}/{memory.project}",
            "source_system": "mem0",
            "source_entity": "mem0__memories",
            "native_id": f"{user}/{memory.native_id}",
            "part": "0",
            "user_id": f"user{user}",
            "agent_id": memory.agent,
            "event_kind": "memory",
            "content": memory.text,
            "occurred_at": moment(memory.day),
            "landed_at": BEGIN,
            "record_id": f"{user}/{memory.native_id}/{memory.agent}/{memory.project}",
            "metadata": json.dumps({"project_name": memory.project}),
        }
        for user, (memories, _) in enumerate(stories)
        for memory in memories
    ]


def changes(stories: Sequence[Story]) -> list[dict[str, Any]]:
    """The rows of the stories' operations."""
    return [
        {
            "change_id": f"{user}/{change}",
            "source_system": "mem0",
            "target_native_id": f"{user}/{change.target}",
            "replacement_native_id": change.replacement and f"{user}/{change.replacement}",
            "kind": change.kind,
            "reason": "said so",
            "actor": "someone",
            "occurred_at": moment(change.day),
            "metadata": "{}",
        }
        for user, (_, told) in enumerate(stories)
        for change in told
    ]


def give(
    build: PlainBuild, model: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Take rows for a model's; what a row leaves out is NULL."""
    build.give(model, [f"{name} {kind}" for name, kind in columns.items()], [])
    values = ", ".join(f"cast(unnest(${name}) as {kind})" for name, kind in columns.items())
    build.engine.execute(
        f"insert into built.{model} select {values}",
        {name: [row.get(name) for row in rows] for name in columns},
    )


def days(when: datetime | None) -> str:
    return "" if when is None else f"{(when - BEGIN).total_seconds() / 86_400:g}"
