"""Captures of claude-mem: databases of today, of before, of an import and a server; an export."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

CLAUDE_SESSION = "c1000000-0000-4000-8000-000000000001"
MEMORY_SESSION = "e1000000-0000-4000-8000-000000000001"
OLD_CLAUDE_SESSION = "c1000000-0000-4000-8000-000000000002"
OLD_MEMORY_SESSION = "e1000000-0000-4000-8000-000000000002"
# 2026-06-01T10:00:00Z, in milliseconds.
BEGIN = 1_780_308_000_000
MODIFIED = BEGIN // 1000 + 3600

SCHEMA = """
create table sdk_sessions (
    id integer primary key autoincrement, content_session_id text not null,
    memory_session_id text unique, project text not null,
    platform_source text not null default 'claude', user_prompt text, started_at text,
    started_at_epoch integer, status text not null default 'active');
create table observations (
    id integer primary key autoincrement, memory_session_id text not null, project text not null,
    text text, type text not null, title text, subtitle text, facts text, narrative text,
    concepts text, files_read text, files_modified text, prompt_number integer,
    created_at text not null, created_at_epoch integer not null, content_hash text,
    merged_into_project text, agent_type text, agent_id text);
create table session_summaries (
    id integer primary key autoincrement, memory_session_id text not null, project text not null,
    request text, investigated text, learned text, completed text, next_steps text,
    files_read text, files_edited text, notes text, prompt_number integer,
    created_at text not null, created_at_epoch integer not null, merged_into_project text);
create table user_prompts (
    id integer primary key autoincrement, session_db_id integer, content_session_id text not null,
    prompt_number integer not null, prompt_text text not null, created_at text not null,
    created_at_epoch integer not null);
create table pending_messages (
    id integer primary key autoincrement, session_db_id integer not null,
    content_session_id text not null, message_type text, tool_name text, tool_input text,
    tool_response text, cwd text, last_user_message text, last_assistant_message text,
    prompt_number integer, status text not null default 'pending',
    created_at_epoch integer not null, started_processing_at_epoch integer, tool_use_id text);
"""
OLD_SCHEMA = """
create table sdk_sessions (
    id integer primary key autoincrement, claude_session_id text not null,
    sdk_session_id text unique, project text not null, user_prompt text, started_at text,
    started_at_epoch integer);
create table observations (
    id integer primary key autoincrement, sdk_session_id text not null, project text not null,
    text text not null, type text not null, created_at text not null);
"""
SERVER_SCHEMA = """
create table memory_items (
    id text primary key, project_id text not null, server_session_id text, kind text, type text,
    title text, subtitle text, text text, narrative text, facts text not null default '[]',
    concepts text, created_at_epoch integer);
create table agent_events (
    id text primary key, project_id text, source_type text, event_type text, payload text,
    content_session_id text, occurred_at_epoch integer);
"""


def observation(
    title: str | None, narrative: str | None, at: int, stored_hash: str | None, **more: Any
) -> dict[str, Any]:
    """A row of observations, `at` seconds after the beginning."""
    return {
        "memory_session_id": MEMORY_SESSION,
        "project": "acme-web",
        "type": "discovery",
        "title": title,
        "narrative": narrative,
        "created_at": "2026-06-01T10:00:00.000Z",
        "created_at_epoch": BEGIN + at * 1000,
        "content_hash": stored_hash,
        **more,
    }


REBUILT = ("Index rebuilt", "The search index was rebuilt after the import.")
OBSERVATIONS = [
    observation(
        "Port moved",
        "The service listens on 7443 since the gateway took 8080.",
        10,
        "0123456789abcdef",
        subtitle="A new port for the service",
        facts='["The port is set in config.toml", "The gateway forwards to 7443"]',
        concepts='["how-it-works"]',
        files_modified='["config.toml"]',
    ),
    *(
        observation(*REBUILT, 20 + number, stored)
        for number, stored in enumerate(
            [None, None, "A1B2C3D4E5F60718", "__null_migration_4__", "1111111111111111", None]
        )
    ),
    observation(None, None, 40, None, text="Backups run at three in the morning."),
    observation(None, None, 41, None, text="Backups are kept for thirty days."),
    observation(
        "Login uses tokens",
        None,
        50,
        None,
        project="acme-web/feature-login",
        merged_into_project="acme-web",
        facts="Tokens live for an hour",
    ),
    observation("HEARTBEAT_OK", None, 60, None),
    observation("User re-engaged with session after gap", None, 61, None),
    observation("Session started", None, 62, None),
]
PROMPTS = [
    ("Move the service to port 7443", 0),
    ("Move the service to port 7443", 2),
    ("Move the service to port 7443", 4),
    ("Move the service to port 7443", 3600),
]
# One message that three hooks handed in, under two sessions; and once more in the evening.
GATEWAY_PROMPTS = [
    ("agent:main:main", 300),
    ("agent:main:main", 301),
    ("chat-77", 302),
    ("agent:main:main", 30_000),
]


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    write_database(folder / "laptop" / "claude-mem.db")
    write_old_database(folder / "desktop" / "claude-mem.db")
    write_export(folder / "laptop" / "claude-mem.db", folder / "memories.json")
    write_imported_database(folder / "import" / "claude-mem.db")
    write_server_database(folder / "server" / "claude-mem-server.db")


def write_database(path: Path) -> None:
    """A database of today."""
    connection = opened(path, SCHEMA)
    insert(
        connection,
        "sdk_sessions",
        {
            "content_session_id": CLAUDE_SESSION,
            "memory_session_id": MEMORY_SESSION,
            "project": "acme-web",
            "user_prompt": "<private>the code word is plum</private> Move the service to port 7443",
            "started_at_epoch": BEGIN,
        },
    )
    for row in OBSERVATIONS:
        insert(connection, "observations", row)
    insert(
        connection,
        "session_summaries",
        {
            "memory_session_id": MEMORY_SESSION,
            "project": "acme-web",
            "request": "Move the service",
            "learned": "The gateway holds 8080",
            "next_steps": "Tell the other teams",
            "created_at": "2026-06-01T10:01:00.000Z",
            "created_at_epoch": BEGIN + 60_000,
        },
    )
    for number, (text, at) in enumerate(PROMPTS, start=1):
        insert(
            connection,
            "user_prompts",
            {
                "session_db_id": 1,
                "content_session_id": CLAUDE_SESSION,
                "prompt_number": number,
                "prompt_text": text,
                "created_at": "2026-06-01T10:00:00.000Z",
                "created_at_epoch": BEGIN + at * 1000,
            },
        )
    for content_session, project in [("agent:main:main", "gateway-main"), ("chat-77", "gateway")]:
        insert(
            connection,
            "sdk_sessions",
            {"content_session_id": content_session, "project": project},
        )
    for content_session, at in GATEWAY_PROMPTS:
        insert(
            connection,
            "user_prompts",
            {
                "content_session_id": content_session,
                "prompt_number": 1,
                "prompt_text": "Water the plants in the office",
                "created_at": "2026-06-01T10:00:00.000Z",
                "created_at_epoch": BEGIN + at * 1000,
            },
        )
    for row in queued():
        insert(connection, "pending_messages", row)
    connection.commit()
    connection.close()
    os.utime(path, (MODIFIED, MODIFIED))


def queued() -> list[dict[str, Any]]:
    """What waits: tools' work, some of it begun too long ago; words for a summary."""
    tool = {
        "session_db_id": 1,
        "content_session_id": CLAUDE_SESSION,
        "message_type": "observation",
        "tool_name": "Bash",
        "tool_input": '{"command":"systemctl restart acme"}',
        "cwd": "/srv/work/acme-web",
        "created_at_epoch": BEGIN,
    }
    return [
        {
            **tool,
            "tool_response": "restarted",
            "tool_use_id": "toolu_01",
            "status": "processing",
            "started_processing_at_epoch": BEGIN + 1000,
        },
        {
            **tool,
            "tool_use_id": "toolu_02",
            "status": "processing",
            "started_processing_at_epoch": MODIFIED * 1000 - 60_000,
        },
        {**tool, "tool_use_id": "toolu_03", "status": "processing"},
        {
            **tool,
            "tool_use_id": "toolu_04",
            "status": "processing",
            "started_processing_at_epoch": MODIFIED * 1000 - 300_000,
        },
        {
            **tool,
            "tool_use_id": "toolu_05",
            "status": "processing",
            "started_processing_at_epoch": MODIFIED * 1000 - 300_001,
        },
        {
            **tool,
            "message_type": "summarize",
            "tool_name": None,
            "tool_input": None,
            "last_user_message": "Tell the other teams about the port",
            "last_assistant_message": "Wrote to both teams: the port is 7443 now",
            "status": "pending",
            "created_at_epoch": BEGIN + 120_000,
        },
    ]


def write_old_database(path: Path) -> None:
    """A database from before the columns of sessions were renamed; it counts from one as well."""
    connection = opened(path, OLD_SCHEMA)
    insert(
        connection,
        "sdk_sessions",
        {
            "claude_session_id": OLD_CLAUDE_SESSION,
            "sdk_session_id": OLD_MEMORY_SESSION,
            "project": "",
            "user_prompt": "Which log format do we use?",
            "started_at_epoch": 1_760_000_000,
        },
    )
    insert(
        connection,
        "observations",
        {
            "sdk_session_id": OLD_MEMORY_SESSION,
            "project": "",
            "text": "Logs are written as JSON lines.",
            "type": "discovery",
            "created_at": "2025-10-09T08:54:00Z",
        },
    )
    connection.commit()
    connection.close()
    os.utime(path, (MODIFIED, MODIFIED))


def write_imported_database(path: Path) -> None:
    """A database into which one row was imported: it has the number of another one there."""
    connection = opened(path, SCHEMA)
    insert(connection, "observations", observation(*REBUILT, 20, None))
    connection.commit()
    connection.close()
    os.utime(path, (MODIFIED, MODIFIED))


def write_export(database: Path, path: Path) -> None:
    """What the export writes of the database of today: fewer columns, in another order."""
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    dropped = {"content_hash", "merged_into_project", "agent_type", "agent_id", "session_db_id"}
    arrays = {
        name: [
            {key: row[key] for key in reversed(row.keys()) if key not in dropped}
            for row in connection.execute(f"select * from {table}")
        ]
        for name, table in {
            "observations": "observations",
            "sessions": "sdk_sessions",
            "summaries": "session_summaries",
            "prompts": "user_prompts",
        }.items()
    }
    connection.close()
    totals = {f"total{name.title()}": len(rows) for name, rows in arrays.items()}
    export = {"exportedAt": "2026-06-01T11:00:00.000Z", "query": "port", **totals, **arrays}
    path.write_text(json.dumps(export, indent=2))
    os.utime(path, (MODIFIED, MODIFIED))


def write_server_database(path: Path) -> None:
    """A database of the server schema."""
    connection = opened(path, SERVER_SCHEMA)
    for number, (kind, text) in enumerate(
        [
            ("manual", "Invoices are numbered per year."),
            ("prompt", "How are invoices numbered?"),
            ("summary", "Looked into the invoice numbers."),
        ],
        start=1,
    ):
        insert(
            connection,
            "memory_items",
            {
                "id": f"d1000000-0000-4000-8000-00000000000{number}",
                "project_id": "p1",
                "kind": kind,
                "type": kind,
                "text": text,
                "created_at_epoch": BEGIN,
            },
        )
    insert(connection, "agent_events", {"id": "a1", "event_type": "start", "payload": "{}"})
    connection.commit()
    connection.close()
    os.utime(path, (MODIFIED, MODIFIED))


def opened(path: Path, schema: str) -> sqlite3.Connection:
    """A new database of a schema."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(schema)
    return connection


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    """One row of the columns that it names."""
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    connection.execute(f"insert into {table} ({names}) values ({marks})", list(row.values()))
