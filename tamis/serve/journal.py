"""Principals and the audit, in the ledger of a home."""

import hmac
import json
import sqlite3
import threading
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.errors import USAGE, TamisError
from tamis.home import prepare_home
from tamis.serve.principals import KEY, Grant, Principal, checked_name, hashed, new_key
from tamis.state import connect_writable, open_state, state_path, transaction

LONGEST_NOTE = 200


@dataclass
class Call:
    """One request as the audit tells it: never a key, never a text of a memory or a query.

    Attributes:
        surface: `http` or `mcp`.
        action: the verb and the route.
        principal: who asked; None where the key was none.
        project, ref, head: what was asked for, cut off where it is long.
        manifest_id: the manifest that was shown or stored.
        status: the status of the answer.
        code: why it was refused.
    """

    surface: str
    action: str
    principal: str | None = None
    project: str | None = None
    ref: str | None = None
    head: str | None = None
    manifest_id: str | None = None
    status: int = 0
    code: str | None = None


class Journal:
    """The ledger, kept open for the many small reads and writes of a server."""

    def __init__(self, home: Path) -> None:
        """Open the ledger of a home; it is created where it is missing."""
        prepare_home(home)
        try:
            self._connection = connect_writable(state_path(home), is_shared=True)
        except (sqlite3.Error, OSError) as error:
            raise TamisError(f"can't open the ledger {state_path(home)}: {error}") from error
        self._connection.row_factory = sqlite3.Row
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the ledger."""
        with self._lock:
            self._connection.close()

    def holder_of(self, key: str) -> Principal | None:
        """Who holds a key; as long for a wrong key as for a right one."""
        digest = hashed(key)
        found = None
        with self._lock:
            rows = self._connection.execute(
                "select name, agent, key_sha256, grants from principals where revoked_at is null"
            ).fetchall()
        for row in rows:
            if hmac.compare_digest(row["key_sha256"], digest):
                found = row
        return principal_of(found) if found is not None else None

    def note(self, call: Call, at: datetime) -> None:
        """Add a call to the audit."""
        told = {name: noted(value) for name, value in asdict(call).items()}
        columns = ", ".join(["at", *told])
        with self._lock:
            self._connection.execute(
                f"insert into audit ({columns}) values (?{', ?' * len(told)})",
                [at.isoformat(timespec="milliseconds"), *told.values()],
            )


def noted(value: Any) -> Any:
    """What the audit keeps of a value that a stranger sent: short, and with no key in it."""
    if not isinstance(value, str):
        return value
    shown = KEY.sub("[key]", value).encode("utf-8", "replace").decode()
    return shown if len(shown) <= LONGEST_NOTE else shown[: LONGEST_NOTE - 1] + "…"


def principal_of(row: sqlite3.Row) -> Principal:
    """A principal as the ledger holds it."""
    grants = json.loads(row["grants"])
    return Principal(
        row["name"],
        row["agent"],
        tuple(Grant(project, frozenset(grants[project])) for project in sorted(grants)),
    )


def add_principal(
    home: Path, name: str, agent: str | None, grants: tuple[Grant, ...], now: datetime
) -> str:
    """Enter a principal, and make its key.

    Returns:
        The key, which is kept nowhere: it can't be told again.

    Raises:
        TamisError: exit 2 where the name is none, or somebody has it.
    """
    key = new_key()
    told = json.dumps({grant.project: sorted(grant.permissions) for grant in grants})
    with open_state(home) as connection, transaction(connection):
        row = connection.execute(
            "select revoked_at from principals where name = ?", (checked_name(name, "a key"),)
        ).fetchone()
        if row is not None and row["revoked_at"] is None:
            raise TamisError(f"{name} holds a key: revoke it first, or choose another name", USAGE)
        connection.execute(
            "insert or replace into principals (name, agent, key_sha256, grants, created_at)"
            " values (?, ?, ?, ?, ?)",
            (name, agent, hashed(key), told, now.isoformat()),
        )
    return key


def revoke_principal(home: Path, name: str, now: datetime) -> None:
    """Make a principal's key worthless at once, for servers that run too.

    Raises:
        TamisError: exit 2 where nobody of that name holds a key.
    """
    with open_state(home) as connection:
        changed = connection.execute(
            "update principals set revoked_at = ?, key_sha256 = name"
            " where name = ? and revoked_at is null",
            (now.isoformat(), name),
        ).rowcount
    if not changed:
        raise TamisError(f"nobody called {name} holds a key", USAGE)


def principals(home: Path) -> list[dict[str, Any]]:
    """All who hold or held a key, by name, without the keys."""
    with open_state(home, read_only=True) as connection:
        rows = connection.execute(
            "select name, agent, grants, created_at, revoked_at from principals order by name"
        )
        return [{**dict(row), "grants": json.loads(row["grants"])} for row in rows]


def audit(home: Path, limit: int = 100) -> list[dict[str, Any]]:
    """The last calls, the newest first."""
    with open_state(home, read_only=True) as connection:
        rows = connection.execute("select * from audit order by audit_id desc limit ?", (limit,))
        return [dict(row) for row in rows]
