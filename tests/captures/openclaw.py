"""OpenClaw's captures: one agent in files, in the database and in hook events."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa

MAIN = "6c000000-0000-4000-8000-000000000001"
FORGOTTEN = "6c000000-0000-4000-8000-000000000002"
DELETED = "6c000000-0000-4000-8000-000000000003"
SPAWNED = "6c000000-0000-4000-8000-000000000004"
MAIN_KEY = "agent:main:telegram:direct:7"


def header(session: str) -> str:
    """A transcript's head."""
    entry = {
        "type": "session",
        "version": 3,
        "id": session,
        "timestamp": "2026-06-05T08:00:00.000Z",
        "cwd": "/srv/none/kitchen",
    }
    return json.dumps(entry)


def message(identity: str, role: str, text: str, second: int, parent: str | None = None) -> str:
    """A transcript's message, so many seconds after eight."""
    instant = f"2026-06-05T08:{second // 60:02d}:{second % 60:02d}.000Z"
    entry = {
        "type": "message",
        "id": identity,
        "parentId": parent,
        "timestamp": instant,
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }
    return json.dumps(entry)


def hook(kind: str, action: str, second: int, **context: Any) -> str:
    """An event that the gateway gives to its hooks."""
    event = {
        "type": kind,
        "action": action,
        "sessionKey": MAIN_KEY,
        "timestamp": f"2026-06-05T08:{second // 60:02d}:{second % 60:02d}.500Z",
        "messages": [],
        "context": {"channelId": "telegram", **context},
    }
    return json.dumps(event)


LINES = [
    header(MAIN),
    message(
        "aa000001",
        "user",
        "[Telegram A Person id:7 +5s 2026-06-05T08:00Z] The oven timer is set to 25 minutes\n"
        "[message_id: 501]",
        10,
    ),
    message("aa000002", "assistant", "[[reply_to_current]] Timer noted: 25 minutes.", 12),
    message("aa000003", "user", "The bread recipe needs 500 g of rye flour", 200),
]
LATER = message("aa000004", "user", "The freezer holds eight loaves", 300)
HOOKS = [
    hook("gateway", "startup", 0),
    hook("command", "new", 1, commandSource="telegram"),
    hook("message", "received", 9, content="The oven timer is set to 25 minutes", messageId="501"),
    hook("message", "sent", 13, content="Timer noted: 25 minutes.", success=True, messageId="502"),
    hook("message", "sent", 14, content="Timer noted: 25 minutes.", success=False, error="timeout"),
    hook("message", "transcribed", 20, transcript="please buy rye flour"),
    hook("message", "received", 400, content="Only the hook heard of the cold cellar"),
]
TABLES = """
    create table session_nodes (session_key text primary key, current_session_id text,
        entry_json text, project_id text, parent_session_key text, spawned_by text,
        created_via text);
    create table session_windows (session_id text primary key, session_key text,
        previous_session_id text, reason text, created_at integer);
    create table transcript_events (session_id text, seq integer, event_json text,
        event_zstd blob, event_utf8_bytes integer, created_at integer,
        primary key (session_id, seq));
    create table transcript_event_identities (session_id text, event_id text, seq integer,
        parent_id text, message_idempotency_key text, primary key (session_id, event_id));
    create table session_transcript_archives (session_id text, generation text,
        session_key text, reason text, encoding text, archive_blob blob, archive_name text,
        created_at integer, primary key (session_id, generation));
    create table session_pending_inputs (seq integer primary key autoincrement,
        input_id text, session_key text, session_id text, message_json text, state text,
        accepted_at integer, consumed_event_id text);
    create table memory_session_tombstones (session_id text primary key, agent_id text,
        reason text, created_at integer);
    create table memory_entry_origins (entry_key text, agent_id text, session_id text,
        session_key text, origin_class text, observed_at integer,
        primary key (entry_key, agent_id, session_id));
"""


def write_database(path: Path) -> None:
    """The database of the agent: the main session once more with a packed row, and others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = pa.Codec("zstd").compress(LATER.encode()).to_pybytes()
    archived = [
        header(DELETED),
        message("cc000001", "user", "The cellar key hangs behind the door", 500),
        message("cc000001", "user", "The cellar key hangs behind the blue door", 501),
    ]
    kept = [
        (MAIN, number, line, None, 1_780_646_400_000 + number) for number, line in enumerate(LINES)
    ]
    others = [
        (MAIN, len(LINES), None, packed, 1_780_646_700_000),
        (FORGOTTEN, 0, header(FORGOTTEN), None, 1),
        (FORGOTTEN, 1, message("bb000001", "user", "My locker code is 4711", 600), None, 2),
        (SPAWNED, 0, header(SPAWNED), None, 1),
        (SPAWNED, 1, message("dd000001", "user", "Count the jars on the shelf", 700), None, 2),
    ]
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
        connection.executemany(
            "insert into session_nodes values (?, ?, '{}', ?, null, null, ?)",
            [
                (MAIN_KEY, MAIN, "kitchen", "channel"),
                ("agent:main:main", FORGOTTEN, None, "operator"),
                ("agent:main:acp:counter", SPAWNED, None, "spawn"),
            ],
        )
        connection.execute(
            "insert into session_windows values (?, ?, null, 'initial', 1)", (DELETED, MAIN_KEY)
        )
        connection.executemany(
            "insert into transcript_events values (?, ?, ?, ?, null, ?)", [*kept, *others]
        )
        connection.execute(
            "insert into session_transcript_archives values (?, 'g1', ?, 'deleted', 'zstd', ?,"
            " 'archive.zst', 3)",
            (DELETED, MAIN_KEY, pa.Codec("zstd").compress("\n".join(archived).encode())),
        )
        waiting = json.dumps({"role": "user", "content": "And remind me of the jam"})
        connection.execute(
            "insert into session_pending_inputs values (1, 'input-1', ?, ?, ?, 'queued', ?, null)",
            (MAIN_KEY, MAIN, waiting, 1_780_646_800_000),
        )
        connection.execute(
            "insert into memory_session_tombstones values (?, 'main', 'asked to', ?)",
            (FORGOTTEN, 1_780_650_000_000),
        )
        connection.execute(
            "insert into memory_entry_origins values ('k', 'main', ?, ?, 'owner', 4)",
            (MAIN, MAIN_KEY),
        )
    connection.close()


def write(folder: Path) -> None:
    """Both eras of one agent, and what its hooks were given."""
    agent = folder / "agents/main"
    archive = agent / "session-sqlite-import-archive"
    archive.mkdir(parents=True)
    name = f"agent_main_telegram_direct_7.{MAIN}.jsonl.imported-1780646900000"
    (archive / name).write_text("\n".join(LINES) + "\n")
    (folder / "hooks.jsonl").write_text("\n".join(HOOKS) + "\n")
    write_database(agent / "agent/openclaw-agent.sqlite")
