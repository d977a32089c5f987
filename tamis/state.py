"""The ledger: what was landed and built, in a SQLite file that can be written while others run."""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.errors import TamisError
from tamis.home import prepare_home

SCHEMA = """
create table if not exists landings (
    landing_id text primary key, started_at text not null, finished_at text,
    state text not null, files integer, records integer, new_records integer,
    rejects integer, torn integer, bytes integer, seconds real, pid integer, error text
);
create table if not exists sightings (
    landing_id text not null, path text not null, source_entity text not null,
    read_from integer, read_to integer, records integer, new_records integer,
    rejects integer, torn integer, error text
);
create index if not exists sightings_by_path on sightings (path);
create table if not exists files (
    path text primary key, warehouse_id text not null, source_entity text not null,
    size integer not null, mtime_ns integer not null, ctime_ns integer not null,
    inode integer not null, offset integer not null, prefix_sha256 text not null,
    container text, last_landing_id text not null
);
create table if not exists skipped (
    path text primary key, reason text not null, landing_id text not null
);
create table if not exists places (
    place text primary key, landing_id text not null
);
create table if not exists builds (
    build_id text primary key, started_at text not null, finished_at text,
    state text not null, fingerprint text, failed_gate text, pid integer
);
create table if not exists principals (
    name text primary key, agent text, key_sha256 text not null unique, grants text not null,
    created_at text not null, revoked_at text
);
create table if not exists audit (
    audit_id integer primary key autoincrement, at text not null, surface text not null,
    action text not null, principal text, project text, ref text, head text, manifest_id text,
    status integer not null, code text
);
create trigger if not exists audit_is_never_changed before update on audit
begin select raise(abort, 'the audit is append-only'); end;
create trigger if not exists audit_is_never_shortened before delete on audit
begin select raise(abort, 'the audit is append-only'); end;
create table if not exists manifests (
    sequence integer primary key autoincrement, manifest_id text not null unique,
    project text not null, created_at text not null, document text not null
);
create index if not exists manifests_by_project on manifests (project, sequence);
create trigger if not exists manifests_are_stored_once before insert on manifests
when exists (select 1 from manifests where manifest_id = new.manifest_id)
begin select raise(ignore); end;
create trigger if not exists manifests_are_never_changed before update on manifests
begin select raise(abort, 'a manifest is never changed'); end;
create trigger if not exists manifests_are_never_deleted before delete on manifests
begin select raise(abort, 'a manifest is never deleted'); end;
"""


@dataclass(frozen=True)
class FileState:
    """How far one file was read.

    Attributes:
        path: absolute path.
        warehouse_id: the warehouse that holds what was read.
        source_entity: such as "claude_code__entries".
        size, mtime_ns, ctime_ns, inode: the file's stat when it was read (bytes, nanoseconds).
        offset: bytes consumed; a torn last line lies behind it.
        prefix_sha256: hex digest of those bytes; for databases "".
        container: of its lines that name no session; None while nothing was landed under it.
        last_landing_id: the landing that read it.
    """

    path: str
    warehouse_id: str
    source_entity: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    offset: int
    prefix_sha256: str
    container: str | None
    last_landing_id: str


@dataclass(frozen=True)
class Sighting:
    """One file read in one landing; `error` says why it could not be read to its end."""

    landing_id: str
    path: str
    source_entity: str
    read_from: int = 0
    read_to: int = 0
    records: int = 0
    new_records: int = 0
    rejects: int = 0
    torn: int = 0
    error: str | None = None


def state_path(home: Path) -> Path:
    """The path of the ledger in a home."""
    return home / "state.sqlite"


@contextmanager
def open_state(home: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the ledger; a writable one is created where missing (mode 0600) and healed.

    Every change commits at once (autocommit) unless it is made in `transaction`.

    Raises:
        TamisError: exit 3 when the file can't be opened or is no ledger.
    """
    path = state_path(home)
    if not read_only:
        prepare_home(home)
    try:
        connection = connect_read_only(path) if read_only else connect_writable(path)
    except (sqlite3.Error, OSError) as error:
        raise TamisError(f"can't open the ledger {path}: {error}") from error
    connection.row_factory = sqlite3.Row
    try:
        if not read_only:
            heal(connection)
        yield connection
    finally:
        connection.close()


def connect_writable(path: Path, *, is_shared: bool = False) -> sqlite3.Connection:
    """A connection in WAL mode with every table present; a shared one serves several threads."""
    if not path.exists():
        path.touch(mode=0o600)
    connection = sqlite3.connect(
        path, timeout=10, isolation_level=None, check_same_thread=not is_shared
    )
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        connection.executescript(SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection that changes no file; an absent ledger reads as an empty one."""
    if not path.exists():
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(SCHEMA)
        return connection
    # Without a -wal nobody is writing, and only an immutable connection leaves no -shm behind.
    wal = path.with_name(path.name + "-wal")
    mode = "mode=ro" if wal.exists() else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, timeout=10, isolation_level=None)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All changes inside, or none of them."""
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def heal(connection: sqlite3.Connection, *, all_running: bool = False) -> list[str]:
    """Mark landings as interrupted, and builds as failed, whose process is gone.

    Args:
        connection: a writable ledger.
        all_running: also those whose process id is alive; true only for who holds the writer
            lock, since then a living process of that id is another program.

    Returns:
        The ids that were healed.
    """
    healed = []
    for table, key, dead in (
        ("landings", "landing_id", "interrupted"),
        ("builds", "build_id", "failed"),
    ):
        rows = connection.execute(f"select {key}, pid from {table} where state = 'running'")
        for identifier, pid in rows.fetchall():
            if all_running or not is_alive(pid):
                connection.execute(
                    f"update {table} set state = ? where {key} = ? and state = 'running'",
                    (dead, identifier),
                )
                healed.append(identifier)
    return healed


def is_alive(pid: int | None) -> bool:
    """Whether a process with this id exists on this machine."""
    if not pid:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def start_landing(
    connection: sqlite3.Connection, landing_id: str, started_at: datetime, pid: int
) -> None:
    """Enter a landing as running."""
    connection.execute(
        "insert into landings (landing_id, started_at, state, pid) values (?, ?, 'running', ?)",
        (landing_id, started_at.isoformat(), pid),
    )


def finish_landing(
    connection: sqlite3.Connection,
    landing_id: str,
    finished_at: datetime,
    state: str,
    counts: Mapping[str, Any],
) -> None:
    """Close a landing.

    Args:
        connection: a writable ledger.
        landing_id: the landing.
        finished_at: UTC.
        state: "done" or "failed".
        counts: any of files, records, new_records, rejects, torn, bytes, seconds, error.
    """
    assignments = ", ".join(f"{name} = ?" for name in ["finished_at", "state", *counts])
    connection.execute(
        f"update landings set {assignments} where landing_id = ?",
        (finished_at.isoformat(), state, *counts.values(), landing_id),
    )


def landings(connection: sqlite3.Connection, limit: int = 20) -> list[dict[str, Any]]:
    """The last landings as dicts, newest first."""
    rows = connection.execute(
        "select * from landings order by started_at desc, landing_id desc limit ?", (limit,)
    )
    return [dict(row) for row in rows]


def file_states(connection: sqlite3.Connection, warehouse_id: str | None) -> dict[str, FileState]:
    """The files read into this warehouse, by path; for None into any."""
    names = ", ".join(field.name for field in fields(FileState))
    rows = connection.execute(
        f"select {names} from files where warehouse_id = coalesce(?, warehouse_id)", (warehouse_id,)
    )
    return {row["path"]: FileState(*row) for row in rows}


def save_places(connection: sqlite3.Connection, landing_id: str, places: Iterable[str]) -> None:
    """Remember what a landing was given to land from: paths, and addresses without secrets."""
    connection.executemany(
        "insert or replace into places (place, landing_id) values (?, ?)",
        [(place, landing_id) for place in places],
    )


def places(connection: sqlite3.Connection) -> list[str]:
    """What landings were given to land from, in order."""
    return [row["place"] for row in connection.execute("select place from places order by place")]


def newest_records(connection: sqlite3.Connection) -> dict[str, datetime]:
    """When each source entity last brought a new record, naive UTC; those that never did lack."""
    rows = connection.execute(
        "select source_entity, max(started_at) from sightings inner join landings"
        " using (landing_id) where sightings.new_records > 0 group by source_entity"
    )
    return {entity: datetime.fromisoformat(moment) for entity, moment in rows}


def save_files(connection: sqlite3.Connection, files: Iterable[FileState]) -> None:
    """Remember how far files were read; a newer state replaces the older one."""
    names = [field.name for field in fields(FileState)]
    connection.executemany(
        f"insert or replace into files ({', '.join(names)})"
        f" values ({', '.join('?' for _ in names)})",
        [astuple(file) for file in files],
    )


def save_sightings(connection: sqlite3.Connection, sightings: Iterable[Sighting]) -> None:
    """Add the files that a landing read."""
    names = [field.name for field in fields(Sighting)]
    connection.executemany(
        f"insert into sightings ({', '.join(names)}) values ({', '.join('?' for _ in names)})",
        [astuple(sighting) for sighting in sightings],
    )


def sightings(connection: sqlite3.Connection, landing_id: str) -> list[dict[str, Any]]:
    """The files that one landing read, as dicts, by path."""
    rows = connection.execute(
        "select * from sightings where landing_id = ? order by path", (landing_id,)
    )
    return [dict(row) for row in rows]


def last_sightings(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """How every file was when it was last read, as dicts, by path."""
    rows = connection.execute(
        "select * from sightings where rowid in (select max(rowid) from sightings group by path)"
        " order by path"
    )
    return [dict(row) for row in rows]


def save_skipped(
    connection: sqlite3.Connection, landing_id: str, skipped: Iterable[tuple[str, str]]
) -> None:
    """Remember the files that no source took, as (path, reason)."""
    connection.executemany(
        "insert or replace into skipped (path, reason, landing_id) values (?, ?, ?)",
        [(path, reason, landing_id) for path, reason in skipped],
    )


def skipped(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """The files that no source took, as dicts (path, reason, landing_id), by path."""
    return [dict(row) for row in connection.execute("select * from skipped order by path")]


def start_build(
    connection: sqlite3.Connection, build_id: str, started_at: datetime, pid: int, fingerprint: str
) -> None:
    """Enter a build as running; its fingerprint stands for captures, rules and settings."""
    connection.execute(
        "insert into builds (build_id, started_at, state, pid, fingerprint)"
        " values (?, ?, 'running', ?, ?)",
        (build_id, started_at.isoformat(), pid, fingerprint),
    )


def finish_build(
    connection: sqlite3.Connection,
    build_id: str,
    finished_at: datetime,
    state: str,
    failed_gate: str | None = None,
) -> None:
    """Move a build on to "checked", "published" or "failed" (with the gate that failed)."""
    connection.execute(
        "update builds set finished_at = ?, state = ?, failed_gate = ? where build_id = ?",
        (finished_at.isoformat(), state, failed_gate, build_id),
    )


def builds(connection: sqlite3.Connection, limit: int = 20) -> list[dict[str, Any]]:
    """The last builds as dicts, newest first."""
    rows = connection.execute(
        "select * from builds order by started_at desc, build_id desc limit ?", (limit,)
    )
    return [dict(row) for row in rows]
