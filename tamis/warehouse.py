"""The DuckDB file that holds raw records and the models built from them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
from filelock import FileLock, Timeout

from tamis.errors import Busy, TamisError
from tamis.home import prepare_home
from tamis.sources import source_entities

ENVELOPE = """
    record_id varchar,
    container varchar,
    origin varchar,
    position bigint,
    payload varchar,
    origin_modified_at timestamp,
    landed_at timestamp,
    landing_id varchar
"""

REJECTS = """
    reject_id varchar,
    source_entity varchar,
    container varchar,
    origin varchar,
    position bigint,
    reason varchar,
    bytes blob,
    origin_modified_at timestamp,
    landed_at timestamp,
    landing_id varchar
"""


def warehouse_path(home: Path) -> Path:
    """The path of the warehouse file in a home."""
    return home / "tamis.duckdb"


def connect(home: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open the warehouse; a writable connection creates it with mode 0600.

    Raises:
        TamisError: exit 3 when nothing landed yet (read only), another process holds the file,
            it can't be read, or it is no DuckDB file of a version this tamis can open.
    """
    path = warehouse_path(home)
    if read_only and not path.exists():
        raise TamisError(f"there is no warehouse at {path}: run `tamis land` first")
    if not read_only:
        prepare_home(home)
    try:
        connection = duckdb.connect(str(path), read_only=read_only)
    except duckdb.Error as error:
        raise refusal(path, str(error)) from error
    if not read_only:
        path.chmod(0o600)
    connection.execute("set timezone = 'UTC'")
    return connection


def refusal(path: Path, error: str) -> TamisError:
    """An error of one line from DuckDB's reason not to open a file; Busy where waiting helps."""
    text = error.lower()
    if path.is_dir():
        return TamisError(f"{path} is a folder where the warehouse belongs: move it away")
    if "lock" in text or "different configuration" in text:
        return Busy(f"another process holds {path}: wait until it is done, then try again")
    if "not a valid duckdb" in text or "serialization" in text or "corrupt" in text:
        return TamisError(f"{path} is not a DuckDB file: restore a backup or choose another --home")
    if "version number" in text:
        return TamisError(
            f"{path} was written by another DuckDB version: use the tamis that wrote it"
        )
    return TamisError(f"can't open {path}: {error.strip().splitlines()[0]}")


@contextmanager
def writer(home: Path) -> Iterator[None]:
    """Hold the home's writer lock; never waits.

    Raises:
        Busy: exit 3 when another tamis holds it.
        TamisError: exit 3 when the home can't be written.
    """
    prepare_home(home)
    lock = FileLock(home / "writer.lock", timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        raise Busy(
            f"another tamis is writing to {home}: wait until it is done, then try again"
        ) from error
    except OSError as error:
        raise TamisError(f"can't write to {home}: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()


def ensure_raw(connection: duckdb.DuckDBPyConnection, now: datetime | None = None) -> str:
    """Create the raw schema with a table per source entity where they are missing.

    Args:
        connection: a writable connection.
        now: when the warehouse was created (UTC); only kept the first time.

    Returns:
        The warehouse's id. File states are valid only for the warehouse they were made for.
    """
    connection.execute("create schema if not exists raw")
    for source_entity in source_entities():
        connection.execute(f"create table if not exists raw.{source_entity} ({ENVELOPE})")
    connection.execute(f"create table if not exists raw.rejects ({REJECTS})")
    connection.execute(
        "create table if not exists raw.warehouse (warehouse_id varchar, created_at timestamp)"
    )
    created = f"timestamp '{now.isoformat(' ')}'" if now else "null"
    # The one random value in tamis: two warehouses must never share an id.
    connection.execute(
        f"insert into raw.warehouse select uuid()::varchar, {created}"
        " where not exists (from raw.warehouse)"
    )
    return warehouse_id(connection) or ""


def as_dicts(cursor: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """The rows of a query that was run, each as a mapping of its columns."""
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def warehouse_id(connection: duckdb.DuckDBPyConnection) -> str | None:
    """The id of an open warehouse, or None where nothing has landed yet."""
    known = connection.execute(
        "select count(*) from duckdb_tables() where schema_name = 'raw'"
        " and table_name = 'warehouse' and database_name = current_database()"
    ).fetchone()
    if not known or not known[0]:
        return None
    row = connection.execute(
        "select warehouse_id from raw.warehouse order by created_at nulls last, warehouse_id"
    ).fetchone()
    return row[0] if row else None
