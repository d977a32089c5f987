"""A small Lethe database with a history, and an answer of Lethe's API to one of its projects."""

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SCHEMA = """
create table projects (project_id text primary key, name text not null, created_at datetime);
create table sessions (
    session_id text primary key, agent_id text not null, project_id text not null, state text,
    started_at datetime, last_heartbeat_at datetime, ended_at datetime, summary text,
    session_key text
);
create table session_links (session_id text, prior_session_id text, link_type text);
create table events (
    event_id text primary key, session_id text, project_id text, parent_event_id text,
    event_type text not null, content text not null, confidence real, tags text,
    embedding_id text, task_title text, task_status text, status_changed_at datetime,
    human_reviewed_at datetime, reviewer_id text, thread_id text, created_at datetime
);
create table memory_changesets (
    changeset_id text primary key, schema_version text not null default 'memory_git/v1',
    project_id text not null, ref_name text not null, parent_ids_json text not null default '[]',
    author_principal text not null, persona_id text, actor_id text, surface text, model text,
    environment text, session_id text, topic_id text, context_manifest_id text,
    message text not null default '', created_at datetime not null,
    idempotency_key text not null, evidence_json text not null default '[]',
    verification_json text not null default '[]', integrity_digest text not null default '',
    request_digest text
);
create table memory_changeset_ops (
    changeset_id text not null, ordinal integer not null, op_type text not null,
    target_event_id text, resulting_event_id text, payload_json text not null default '{}',
    primary key (changeset_id, ordinal)
);
create table memory_refs (
    project_id text not null, ref_name text not null, head_changeset_id text not null,
    protected integer not null default 0, created_at datetime, updated_at datetime,
    created_by_principal text, primary key (project_id, ref_name)
);
create table memory_conflicts (
    conflict_id text primary key, project_id text not null, base_changeset_id text,
    left_changeset_id text not null, right_changeset_id text not null, conflict_type text not null,
    severity text not null, summary text not null, details_json text not null default '{}',
    status text not null default 'open', proposal_id text, created_at datetime,
    resolved_at datetime, resolution_note text
);
create table memory_manifests (
    manifest_id text primary key, direction text not null, project_id text not null,
    ref_name text not null, head_changeset_id text not null, base_changeset_id text,
    resulting_changeset_id text, proposed_target_ref text, merge_proposal_id text,
    selected_memory_ids_json text not null default '[]',
    inclusion_reasons_json text not null default '{}',
    exclusion_reasons_json text not null default '{}',
    unresolved_conflicts_json text not null default '[]', session_id text, actor_id text,
    created_at datetime
);
create table memory_legacy_baselines (
    project_id text primary key, root_changeset_id text not null, event_ids_json text not null,
    captured_through datetime not null, created_at datetime
);
"""
MAIN = "refs/shared/main"
BRANCH = "refs/agents/sower/main"
# Event id, session, type, text, minute, and other columns.
EVENTS: list[tuple[str, str | None, str, str, int, dict[str, Any]]] = [
    ("evt-1", "ses-1", "record", "Tomatoes go into bed four", 0, {"confidence": 0.9}),
    ("evt-2", "ses-1", "log", "The soil of bed two is dry", 1, {"tags": '["soil"]'}),
    ("evt-3", "ses-1", "flag", "Nobody knows who waters on Sundays", 2, {"reviewer_id": "kim"}),
    ("evt-4", "ses-1", "task", "", 3, {"task_title": "Order seeds", "task_status": "done"}),
    ("evt-5", "ses-1", "summary", "Beds were planned and seeds ordered", 4, {}),
    ("evt-6", None, "system", "database migrated", 5, {}),
    ("evt-7", "ses-2", "record", "The pump needs a new seal", 6, {}),
    ("evt-8", "ses-1", "record", "Written past the root", 600, {}),
]
# Changeset, ref, parents, minute, and operations: type, target, result, payload.
CHANGESETS: list[tuple[str, str, list[str], int, list[tuple[str, str | None, str | None, Any]]]] = [
    ("cs-root", MAIN, [], 60, []),
    (
        "cs-add",
        MAIN,
        ["cs-root"],
        61,
        [
            ("add_memory", None, "watering", {"content": "Water at six", "kind": "decision"}),
            ("add_memory", None, None, {"content": "Beans follow peas", "tags": ["order"]}),
            ("add_memory", None, "twin", {"content": "Tomatoes stand in bed 4"}),
            ("attach_evidence", "watering", None, {"summary": "seen in May"}),
        ],
    ),
    (
        "cs-change",
        MAIN,
        ["cs-add"],
        62,
        [
            ("correct_memory", "watering", None, {"content": "Water at seven", "reason": "late"}),
            ("correct_memory", "evt-1", "tomatoes", {"content": "Tomatoes go into bed five"}),
            ("supersede_memory", "mem:cs-add:1", None, {"content": "Beans follow garlic"}),
            ("supersede_memory", "evt-4", None, {"reason": "seeds came"}),
            ("mark_duplicate", "twin", None, {"duplicate_of": "evt-1"}),
            ("propose_deprecation", "evt-2", None, {"reason": "it rained"}),
            ("correct_memory", "evt-3", None, {"tags": ["people"]}),
        ],
    ),
    (
        "cs-left",
        BRANCH,
        ["cs-change"],
        63,
        [("correct_memory", "watering", None, {"content": "Water at eight"})],
    ),
]


def at(minute: int) -> str:
    """A time as Lethe's driver writes it."""
    return f"2026-05-01 {10 + minute // 60:02}:{minute % 60:02}:00.25 +0000 UTC"


def insert(connection: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows by their columns' names."""
    for row in rows:
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        connection.execute(f"insert into {table} ({names}) values ({marks})", list(row.values()))


def write_database(path: Path) -> None:
    """The database, closed, without a -wal."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    insert(connection, "projects", [{"project_id": "garden", "name": "The garden"}])
    session = {"agent_id": "main", "project_id": "garden", "started_at": at(0)}
    insert(
        connection,
        "sessions",
        [
            {
                **session,
                "session_id": "ses-1",
                "state": "completed",
                "ended_at": at(30),
                "summary": "The garden was planned for the year",
                "session_key": "agent:main:main",
            },
            {**session, "session_id": "ses-2", "session_key": "agent:main:subagent:pump-1"},
        ],
    )
    for name, ses, kind, content, minute, more in EVENTS:
        event = {"event_id": name, "session_id": ses, "project_id": "garden", "event_type": kind}
        insert(
            connection, "events", [{**event, "content": content, "created_at": at(minute), **more}]
        )
    for name, ref, parents, minute, ops in CHANGESETS:
        write_changeset(connection, name, ref, parents, minute, ops)
    other = [("add_memory", None, "watering", {"content": "Refill the kettle"})]
    write_changeset(connection, "cs-kitchen", MAIN, [], 70, other, "kitchen")
    heads = {MAIN: "cs-change", BRANCH: "cs-left"}
    insert(
        connection,
        "memory_refs",
        [
            {
                "project_id": "garden",
                "ref_name": ref,
                "head_changeset_id": head,
                "protected": int(ref == MAIN),
                "updated_at": at(62),
            }
            for ref, head in heads.items()
        ],
    )
    sides = {"left_changeset_id": "cs-left", "right_changeset_id": "cs-change"}
    conflict = {"conflict_id": "cf-1", "project_id": "garden", **sides, "severity": "blocking"}
    told = {"conflict_type": "contradictory_decision", "summary": "two hours of watering"}
    insert(connection, "memory_conflicts", [{**conflict, **told, "created_at": at(64)}])
    insert(
        connection,
        "memory_legacy_baselines",
        [
            {
                "project_id": "garden",
                "root_changeset_id": "cs-root",
                "event_ids_json": json.dumps([f"evt-{number}" for number in range(1, 8)]),
                "captured_through": at(60),
            }
        ],
    )
    view = {"manifest_id": "mf-1", "direction": "input", "project_id": "garden", "ref_name": MAIN}
    chosen = {"head_changeset_id": "cs-change", "selected_memory_ids_json": '["watering"]'}
    insert(connection, "memory_manifests", [{**view, **chosen, "created_at": at(65)}])
    connection.commit()
    connection.close()


def write_changeset(
    connection: sqlite3.Connection,
    name: str,
    ref: str,
    parents: list[str],
    minute: int,
    ops: list[tuple[str, str | None, str | None, Any]],
    project: str = "garden",
) -> None:
    """One changeset with its operations."""
    insert(
        connection,
        "memory_changesets",
        [
            {
                "changeset_id": name,
                "project_id": project,
                "ref_name": ref,
                "parent_ids_json": json.dumps(parents),
                "author_principal": "gardener",
                "actor_id": "sower",
                "message": f"message of {name}",
                "created_at": at(minute),
                "idempotency_key": "legacy-root" if name == "cs-root" else f"key-{name}",
            }
        ],
    )
    columns = ("op_type", "target_event_id", "resulting_event_id", "payload_json")
    for ordinal, (kind, target, result, payload) in enumerate(ops):
        values = dict(zip(columns, (kind, target, result, json.dumps(payload)), strict=True))
        place = {"changeset_id": name, "ordinal": ordinal}
        insert(connection, "memory_changeset_ops", [{**place, **values}])


def answer() -> dict[str, Any]:
    """What the API answers for the project `garden`: some of its accepted memory."""
    legacy = {"status": "active", "source": "legacy_event", "scope": "garden"}
    return {
        "project_id": "garden",
        "ref_name": MAIN,
        "head_changeset_id": "cs-change",
        "projection_version": "memory-context/v1",
        "total_active": 7,
        "memories": [
            {
                "memory_id": "watering",
                "content": "Water at seven",
                "kind": "decision",
                "status": "active",
                "source": "memory_git",
            },
            {
                "memory_id": "evt-2",
                "content": "The soil of bed two is dry",
                "kind": "observation",
                **legacy,
                "status": "deprecation_proposed",
            },
            {"memory_id": "evt-0", "content": "Compost is turned", "kind": "record", **legacy},
        ],
        "relationships": [],
        "unresolved_conflicts": [],
        "inclusion_reasons": {},
        "exclusion_reasons": {"twin": "duplicate of evt-1"},
    }


def write(folder: Path) -> None:
    """The database at two times, and a saved answer."""
    earlier, later = folder / "earlier" / "lethe.db", folder / "lethe.db"
    write_database(earlier)
    write_database(later)
    connection = sqlite3.connect(later)
    connection.execute(
        "update memory_refs set head_changeset_id = 'cs-left', updated_at = ? where ref_name = ?",
        (at(90), MAIN),
    )
    connection.execute(
        "update memory_conflicts set status = 'resolved', resolved_at = ?", (at(90),)
    )
    connection.commit()
    connection.close()
    moment = later.stat().st_mtime_ns - 10**9
    os.utime(earlier, ns=(moment, moment))
    (folder / "context.json").write_text(json.dumps(answer(), indent=1))
