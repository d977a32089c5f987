"""Captures of mem0: histories, vector stores, a Qdrant collection, lists, a dump, an export."""

import base64
import json
import os
import pickle
import sqlite3
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

MODELS = "qdrant_client.http.models.models"
MODIFIED = 1_780_308_000


def memory_id(number: int) -> str:
    """The id of a memory."""
    return f"a2000000-0000-4000-8000-{number:012d}"


def row_id(number: int) -> str:
    """The id of a row of a history or of a message."""
    return f"b2000000-0000-4000-8000-{number:012d}"


def day(number: int) -> str:
    """A day of May 2026, at ten."""
    return f"2026-05-{number:02d}T10:00:00+00:00"


def change(
    number: int, memory: int, event: str, old: str | None, new: str | None, at: int
) -> tuple:
    """A row of Python's history; deletions tell no time."""
    created, updated = (None, None) if event == "DELETE" else (day(at), None)
    if event == "UPDATE":
        created, updated = day(1), day(at)
    deleted = int(event == "DELETE")
    return row_id(number), memory_id(memory), old, new, event, created, updated, deleted, None, None


HISTORY = [
    change(1, 1, "ADD", None, "We deploy with Heroku", 4),
    change(2, 2, "ADD", None, "We no longer deploy with Heroku, we use Fly", 8),
    change(3, 1, "DELETE", "We deploy with Heroku", None, 8),
    change(4, 3, "ADD", None, "Stand-up is at nine", 4),
    change(5, 3, "UPDATE", "Stand-up is at nine", "Stand-up is at ten", 9),
    change(6, 3, "UPDATE", "Stand-up is at ten", "Stand-up is at ten", 10),
    change(7, 4, "ADD", None, "Releases happen on Thursdays", 5),
    change(8, 5, "ADD", None, "Releases happen on Thursdays", 6),
    change(9, 5, "DELETE", "Releases happen on Thursdays", None, 6),
    change(10, 6, "UPDATE", "The office is in Lyon", "The office is in Lille", 7),
]
ITEM = {
    "id": memory_id(3),
    "memory": "Stand-up is at ten",
    "user_id": "u1",
    "agent_id": None,
    "app_id": None,
    "metadata": {"project": "acme-web"},
    "categories": ["work"],
    "created_at": day(4),
    "updated_at": day(10),
}


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    write_history(folder / ".mem0" / "history.db", HISTORY)
    write_typescript(folder / "typescript")
    write_collection(folder / "qdrant" / "collection" / "mem0", POINTS)
    write_collection(folder / "qdrant" / "collection" / "mem0_entities", [])
    write_documents(folder / "documents")


def write_history(path: Path, rows: Iterable[tuple[Any, ...]]) -> None:
    """A history database as Python writes it."""
    connection = opened(path)
    connection.executescript(
        "create table history (id text primary key, memory_id text, old_memory text,"
        " new_memory text, event text, created_at datetime, updated_at datetime,"
        " is_deleted integer, actor_id text, role text);"
        "create table messages (id text primary key, session_scope text, role text, content text,"
        " name text, created_at datetime);"
    )
    connection.executemany(f"insert into history values ({', '.join('?' * 10)})", rows)
    connection.executemany(
        "insert into messages values (?, ?, ?, ?, ?, ?)",
        [
            (row_id(101), SCOPE, "user", "Please move the stand-up to ten", None, day(9)),
            (row_id(102), SCOPE, "assistant", "Moved the stand-up to ten", None, day(9)),
        ],
    )
    closed(connection, path)


SCOPE = "agent_id=scribe&run_id=run%261&user_id=u1"


def write_typescript(folder: Path) -> None:
    """A history and a vector store as TypeScript writes them."""
    connection = opened(folder / "memory.db")
    connection.execute(
        "create table memory_history (id integer primary key autoincrement, memory_id text not"
        " null, previous_value text, new_value text, action text not null, created_at text,"
        " updated_at text, is_deleted integer default 0)"
    )
    connection.executemany(
        "insert into memory_history (memory_id, previous_value, new_value, action, created_at,"
        " is_deleted) values (?, ?, ?, ?, ?, ?)",
        [
            (memory_id(20), None, "Tickets need an estimate", "ADD", day(2), 0),
            (memory_id(20), "Tickets need an estimate", None, "DELETE", day(3), 1),
        ],
    )
    closed(connection, folder / "memory.db")
    connection = opened(folder / "vector_store.db")
    connection.executescript(
        "create table vectors (id text primary key, vector blob not null, payload text not null);"
        "create table memory_migrations (id integer primary key, user_id text not null unique);"
    )
    payload = {
        "data": "Reviews need two approvals",
        "hash": "1f",
        "createdAt": "2026-05-02T10:00:00.000Z",
        "userId": "u1:agent:reviewer",
        "runId": "run-7",
    }
    connection.execute(
        "insert into vectors values (?, ?, ?)", (memory_id(21), bytes(16), json.dumps(payload))
    )
    closed(connection, folder / "vector_store.db")


POINTS = [
    (
        memory_id(30),
        {
            "data": "Dashboards are rebuilt nightly",
            "hash": "2e",
            "created_at": day(3),
            "user_id": "u1",
            "run_id": "run-9",
        },
    ),
    (
        memory_id(31),
        {"data": "Old dashboards are kept", "hash": "3d", "user_id": "u1:agent:subagent-9"},
    ),
]


def write_collection(folder: Path, points: Iterable[tuple[str, dict[str, Any]]]) -> None:
    """A collection as the local Qdrant client stores it: points that are pickled models."""
    connection = opened(folder / "storage.sqlite")
    connection.execute("create table points (id text primary key, point blob)")
    for identity, payload in points:
        key = base64.b64encode(pickle.dumps(identity, protocol=4)).decode()
        point = pickled_point({"id": identity, "vector": [0.5, 0.25], "payload": payload})
        connection.execute("insert into points values (?, ?)", (key, point))
    closed(connection, folder / "storage.sqlite")


def pickled_point(fields: dict[str, Any], protocol: int = 4) -> bytes:
    """A pickle such as the client's model of a point gives, without the client."""

    class PointStruct:
        def __getstate__(self) -> dict[str, Any]:
            return {
                "__dict__": fields,
                "__pydantic_extra__": None,
                "__pydantic_fields_set__": set(fields),
                "__pydantic_private__": None,
            }

    PointStruct.__module__ = MODELS
    PointStruct.__qualname__ = "PointStruct"
    module = ModuleType(MODELS)
    module.PointStruct = PointStruct  # type: ignore[attr-defined]
    parts = MODELS.split(".")
    names = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    saved = {name: sys.modules.get(name) for name in names}
    sys.modules.update(dict.fromkeys(names, module))
    try:
        return pickle.dumps(PointStruct(), protocol=protocol)
    finally:
        for name, before in saved.items():
            if before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = before


def write_documents(folder: Path) -> None:
    """What the platform answers, what the migration dumps, what the plugin exports."""
    listed = {**ITEM, "session_id": "run-3", "replaced_by": None}
    replaced = {
        **ITEM,
        "id": memory_id(40),
        "memory": "Holidays are planned in January",
        "session_id": "run-3",
        "replaced_by": memory_id(41),
    }
    replacing = {
        **ITEM,
        "id": memory_id(41),
        "memory": "Holidays are planned in March",
        "session_id": "run-3",
        "created_at": day(12),
    }
    found = {**ITEM, "run_id": "run-3", "score": 0.81}
    told = {
        "id": row_id(201),
        "memory_id": memory_id(41),
        "input": [{"role": "user", "content": "Plan holidays in March"}],
        "old_memory": None,
        "new_memory": "Holidays are planned in March",
        "event": "ADD",
        "created_at": day(12),
        "updated_at": day(12),
    }
    dumped = {
        "id": memory_id(50),
        "memory": "Secrets live in the vault",
        "hash": "4c",
        "created_at": day(11),
        "updated_at": None,
        "source": "python_oss_qdrant",
        "source_payload": {"data": "Secrets live in the vault"},
        "user_id": "u1",
    }
    answers = {
        "list.json": {
            "count": 3,
            "next": None,
            "previous": None,
            "results": [listed, replaced, replacing],
        },
        "search.json": {"results": [found]},
        "history.json": [told],
        "mem0-qdrant-export-20260512T100000Z.json": {
            "version": 1,
            "kind": "mem0_oss_qdrant_export",
            "record_count": 1,
            "records": [dumped],
        },
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, answer in answers.items():
        saved(folder / name, json.dumps(answer, indent=2))
    saved(folder / "mem0-export-acme-web-2026-05-13.md", MARKDOWN)


MARKDOWN = f"""---
id: {memory_id(60)}
created_at: 2026-05-13T10:00:00Z
type: decision
confidence: 0.9
branch: main
files: config.toml
categories: decisions
---
The port is set in one place only.

---
That line is part of the text.

---
id: {memory_id(61)}
created_at: 2026-05-13T11:00:00Z
type: convention
---
Commits are signed.
"""


def opened(path: Path) -> sqlite3.Connection:
    """A new database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return sqlite3.connect(path)


def closed(connection: sqlite3.Connection, path: Path) -> None:
    """Close it, with a time that every run shares."""
    connection.commit()
    connection.close()
    os.utime(path, (MODIFIED, MODIFIED))


def saved(path: Path, text: str) -> None:
    """A file of this text, with a time that every run shares."""
    path.write_text(text)
    os.utime(path, (MODIFIED, MODIFIED))
