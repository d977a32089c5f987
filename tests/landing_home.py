"""What the landing tests share: lines to write, a landing to run, rows to look at."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from tamis.land import LandingReport, land
from tamis.warehouse import connect

NOW = datetime(2026, 6, 2, 9, 0, 0)
CLAUDE = "claude_code__entries"
SESSION = "5a000000-0000-4000-8000-000000000001"


def claude(text: str, session: str | None = SESSION, **more: Any) -> str:
    """One Claude Code line, without its newline."""
    line: dict[str, Any] = {"type": "user", "uuid": f"u-{text[:20]}"}
    if session:
        line["sessionId"] = session
    return json.dumps({**line, "message": {"role": "user", "content": text}, **more})


def write(path: Path, *lines: str, end: str = "\n") -> Path:
    """A file of these lines, each with its terminator."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(line + end for line in lines).encode())
    return path


def database(path: Path, *tables: str) -> bytes:
    """A SQLite file with these tables, each as `name(columns)`; its first bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        for table in tables or ("other(x)",):
            connection.execute(f"create table {table}")
        connection.commit()
    return path.read_bytes()[:65_536]


def append(path: Path, data: str) -> None:
    """More text at the end of a file, with a modification time that surely differs."""
    before = path.stat().st_mtime_ns
    with path.open("ab") as file:
        file.write(data.encode())
    os.utime(path, ns=(before + 10**9, before + 10**9))


def land_into(home: Path, *roots: Path | str, **more: Any) -> LandingReport:
    """Land the paths into a home."""
    arguments = {"environ": {"HOME": str(home.parent)}, "cwd": home.parent, "now": NOW, **more}
    return land(home, roots=list(roots) or None, **arguments)


def query(home: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query on the warehouse."""
    connection: duckdb.DuckDBPyConnection = connect(home, read_only=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def payloads(home: Path, entity: str = CLAUDE) -> list[str]:
    """The payloads of an entity, sorted."""
    return [row[0] for row in query(home, f"select payload from raw.{entity} order by all")]


def kept(home: Path, entity: str = CLAUDE) -> list[tuple[Any, ...]]:
    """The rows of an entity apart from when they landed."""
    return query(
        home, f"select * exclude (landed_at, landing_id) from raw.{entity} order by record_id"
    )
