"""What was given to whom: manifests, stored once in the ledger and never changed."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis import state
from tamis.context.request import ContextError

Manifest = dict[str, Any]


def manifest_id(told: Mapping[str, Any]) -> str:
    """The id of a manifest: the sha256 of all that it tells."""
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text)


def sha256(text: str) -> str:
    """The digest of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def store(home: Path, told: Manifest, now: datetime) -> None:
    """Store a manifest; one that is stored already keeps the time of its first use."""
    values = (told["manifest_id"], told["project_id"], now.isoformat(), json.dumps(told))
    with state.open_state(home) as ledger:
        # The ledger itself ignores a manifest that it has.
        ledger.execute(
            "insert into manifests (manifest_id, project, created_at, document)"
            " values (?, ?, ?, ?)",
            values,
        )


def manifest(home: Path, manifest_id: str) -> Manifest | None:
    """A stored manifest with the time of its first use, or None."""
    with state.open_state(home, read_only=True) as ledger:
        found = stored(ledger, "manifest_id = ?", [manifest_id])
    return found[0] if found else None


def manifests(
    home: Path, project: str, *, limit: int = 20, before: str | None = None
) -> list[Manifest]:
    """The stored manifests of a project, the newest first.

    Args:
        home: the home folder.
        project: the project as its manifests name it.
        limit: the most manifests to return.
        before: the id of a manifest; only older ones are returned.

    Raises:
        ContextError: there is no manifest of that id.
    """
    condition, values = "project = ?", list[Any]([project])
    if before is not None:
        if manifest(home, before) is None:
            raise ContextError("bad_request", f"no manifest {before}")
        condition += " and sequence < (select sequence from manifests where manifest_id = ?)"
        values.append(before)
    with state.open_state(home, read_only=True) as ledger:
        return stored(
            ledger, f"{condition} order by sequence desc limit ?", [*values, max(limit, 0)]
        )


def stored(ledger: sqlite3.Connection, condition: str, values: list[Any]) -> list[Manifest]:
    """Stored manifests; none from a ledger that is older than they are."""
    known = ledger.execute("select 1 from sqlite_master where name = 'manifests'").fetchone()
    if known is None:
        return []
    rows = ledger.execute(f"select created_at, document from manifests where {condition}", values)
    return [{**json.loads(row["document"]), "created_at": row["created_at"]} for row in rows]
