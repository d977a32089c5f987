"""Reading a SQLite database that its owner may be writing to, from a consistent copy."""

import json
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from tamis.sources.source import Nested, Table
from tamis.sources.sqlite_schema import SQLITE_MAGIC

TRIES = 5
PAUSE_SECONDS = 0.1
WAL_HEADER_BYTES = 32
# What a broken file makes of a query; where its definitions are garbage, so is SQLite's message.
FAULTS = (sqlite3.Error, UnicodeDecodeError)
# Rows are fetched in pages: a page is one step of SQLite and one object of Python.
ROWS_PER_PAGE = 10_000
PAGE_BYTES = 8 << 20
LONGEST_PAGE_BYTES = 64 << 20
LONGEST_ROW_BYTES = 1_000_000_000
# A function of SQLite takes 127 arguments, and each member of an object is two.
MEMBERS_PER_OBJECT = 60
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# A blob that would grow beyond this stays packed.
UNPACKED_BYTES = 256 << 20


class Unreadable(Exception):
    """A database that can't be read, with one line that says why."""


@dataclass(frozen=True)
class Rows:
    """Some rows of a table.

    Attributes:
        lines: one JSON object of the row's columns per line; blobs are hex. A value of broken
            UTF-8 stands there as it is.
        containers: string array of the table's name and the row's key.
        positions: int64 array of the key, or its last part, where that is a number, else how
            many rows come before.
    """

    lines: bytes
    containers: pa.Array
    positions: np.ndarray


@contextmanager
def consistent_copy(database: Path, scratch: Path | None) -> Iterator[Path]:
    """A copy of a database with its -wal or -journal, in a folder that is removed afterwards.

    Args:
        database: the original; it is read as a plain file and never opened by SQLite.
        scratch: where the temporary folder goes; None for the system's own place.

    Raises:
        Unreadable: when it is no SQLite file or changed during every try.
        OSError: when it can't be read.
    """
    with TemporaryDirectory(prefix="landing-", dir=scratch) as folder:
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE_SECONDS * attempt)
            before = fingerprint(database)
            copy = copy_parts(database, Path(folder) / str(attempt))
            if fingerprint(database) == before:
                yield copy
                return
        raise Unreadable("it changes all the time: land again when its owner is idle")


def fingerprint(database: Path) -> tuple[object, ...]:
    """What must stay the same while a database is copied.

    Frames appended to the -wal do no harm, SQLite ignores an unfinished one; a checkpoint or a
    restarted -wal does.
    """
    stat = database.stat()
    found: list[object] = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]
    try:
        with sibling(database, "-wal").open("rb") as wal:
            found.append(wal.read(WAL_HEADER_BYTES))
    except FileNotFoundError:
        found.append(None)
    journal = sibling(database, "-journal")
    found.append(journal.stat().st_mtime_ns if journal.exists() else None)
    return tuple(found)


def sibling(database: Path, ending: str) -> Path:
    """The file beside a database that SQLite names after it."""
    return database.with_name(database.name + ending)


def copy_parts(database: Path, folder: Path) -> Path:
    """Copy the database and its -wal or -journal; never the -shm, which SQLite rebuilds."""
    folder.mkdir(mode=0o700)
    with database.open("rb") as file:
        magic = file.read(len(SQLITE_MAGIC))
    if magic and magic != SQLITE_MAGIC:
        raise Unreadable("it is not a SQLite database")
    copy = folder / "copy.sqlite"
    shutil.copyfile(database, copy)
    for ending in ("-wal", "-journal"):
        # One that goes in between is seen by the comparison that follows.
        with suppress(FileNotFoundError):
            shutil.copyfile(sibling(database, ending), sibling(copy, ending))
    return copy


def read_tables(
    database: Path, tables: Sequence[Table], scratch: Path | None
) -> Iterator[tuple[Table, Iterator[Rows]]]:
    """The rows of the tables that a database has, all of them from one moment.

    Args:
        database: the original.
        tables: the wanted ones, in this order.
        scratch: where the temporary copy goes.

    Yields:
        A table and batches of its rows as JSON objects of the columns it has, in key order.
        The batches must be taken before the next table is.

    Raises:
        Unreadable: no SQLite file, none of the tables, or a file that SQLite calls broken.
        OSError: when the file can't be read.
    """
    for attempt in range(1, TRIES + 1):
        given = False
        try:
            with consistent_copy(database, scratch) as copy, open_copy(copy) as connection:
                present = [table for table in tables if columns_of(connection, table.table)]
                if not present:
                    names = " or ".join(table.table for table in tables)
                    raise Unreadable(f"it has no table {names}")
                for table in present:
                    given = True
                    yield table, select_rows(connection, table)
            return
        except FAULTS as error:
            if given or attempt == TRIES:
                raise broken(error) from error
        time.sleep(PAUSE_SECONDS)


def broken(error: sqlite3.Error | UnicodeDecodeError) -> Unreadable:
    """What SQLite says of a file, as one line."""
    said = error if isinstance(error, sqlite3.Error) else "its definitions are no text"
    return Unreadable(f"SQLite can't read it: {said}")


@contextmanager
def open_copy(copy: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose texts are bytes: broken UTF-8 must arrive as it is.

    One thread at a time may use it, whichever that is.
    """
    connection = sqlite3.connect(copy, isolation_level=None, check_same_thread=False)
    connection.text_factory = bytes
    connection.create_function("unpacked", 1, unpacked, deterministic=True)
    try:
        yield connection
    finally:
        connection.close()


def columns_of(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The columns of a table, each with its place in the primary key (0 for none)."""
    found = connection.execute(f"pragma table_xinfo({quoted(table)})").fetchall()
    return [(row[1].decode("utf-8", "replace"), row[5]) for row in found]


def unpacked(blob: bytes) -> str | None:
    """The text in a blob, unpacked where zstd packed it; None where it holds none."""
    try:
        if blob.startswith(ZSTD_MAGIC):
            with pa.CompressedInputStream(pa.BufferReader(blob), "zstd") as stream:
                blob = stream.read(UNPACKED_BYTES + 1)
        return blob.decode() if len(blob) <= UNPACKED_BYTES else None
    except (OSError, UnicodeDecodeError):
        return None


def select_rows(connection: sqlite3.Connection, table: Table) -> Iterator[Rows]:
    """Batches of rows; the JSON text is built inside SQLite, value by value.

    Raises:
        Unreadable: when SQLite finds the table broken.
    """
    columns = columns_of(connection, table.table)
    keys = key_columns(connection, table.table, columns)
    key = " || '/' || ".join(f"coalesce(cast({key} as text), '')" for key in keys)
    row_number = row_number_of(connection, table.table, [column for column, _ in columns])
    line = json_of([column for column, _ in columns], table.packed)
    lists = [
        list_of(connection, table.table, nested)
        for nested in table.nested
        if columns_of(connection, nested.table)
    ]
    if lists:
        line = " || ',' || ".join([f"substr({line}, 1, length({line}) - 1)", *lists]) + " || '}'"
    rows = (
        f"select {line} as line,"
        f" {literal(table.table + '/')} || {key} as container,"
        f" case when typeof({keys[-1]}) = 'integer' then {keys[-1]} end as number,"
        f" {row_number or 'null'} as place from {quoted(table.table)}"
    )
    try:
        if row_number:
            yield from select_pages(connection, f"{rows} where {row_number} > ?", row_number)
        else:
            yield from select_at_once(connection, f"{rows} order by {', '.join(keys)}")
    except FAULTS as error:
        raise broken(error) from error


def select_pages(connection: sqlite3.Connection, rows: str, row_number: str) -> Iterator[Rows]:
    """The rows behind a row number, page by page; long ones make smaller pages."""
    page = (
        "select group_concat(line, char(10)) || char(10), json_group_array(container),"
        f" json_group_array(number), max(place) from ({rows} order by {row_number} limit ?)"
    )
    place, count, limit = -(1 << 63), 0, 100
    while True:
        longest = LONGEST_PAGE_BYTES if limit > 1 else LONGEST_ROW_BYTES
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
        try:
            lines, containers, numbers, last = connection.execute(page, (place, limit)).fetchone()
        except sqlite3.DataError:
            if limit == 1:
                raise
            limit //= 2
            continue
        if lines is None:
            return
        names = json.loads(containers.decode("utf-8", "replace"))
        yield Rows(lines, pa.array(names, pa.string()), positions_of(json.loads(numbers), count))
        place, count = last, count + len(names)
        limit = min(max(PAGE_BYTES * len(names) // len(lines), 1), 2 * limit, ROWS_PER_PAGE)


def select_at_once(connection: sqlite3.Connection, rows: str) -> Iterator[Rows]:
    """The rows of a table that has no row numbers."""
    cursor, count = connection.execute(rows), 0
    while fetched := cursor.fetchmany(ROWS_PER_PAGE):
        lines, containers, numbers, _ = zip(*fetched, strict=True)
        names = [container.decode("utf-8", "replace") for container in containers]
        yield Rows(
            b"\n".join(lines) + b"\n", pa.array(names, pa.string()), positions_of(numbers, count)
        )
        count += len(fetched)


def row_number_of(connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> str | None:
    """The name by which SQLite's own row numbers are reached; None where a table has none."""
    taken = {column.lower() for column in columns}
    # A view answers with NULL.
    is_view = "select 1 from sqlite_master where type = 'view' and lower(name) = lower(?)"
    if connection.execute(is_view, [table]).fetchone():
        return None
    for name in ("rowid", "_rowid_", "oid"):
        if name not in taken:
            try:
                connection.execute(f"select {name} from {quoted(table)} limit 0")
            except sqlite3.OperationalError:
                return None
            return name
    return None


def positions_of(numbers: Sequence[int | None], count: int) -> np.ndarray:
    """The numbers, and where there is none the row's own, counted from `count`, as int64."""
    if None not in numbers:
        return np.array(numbers, np.int64)
    return np.array(
        [count + row if number is None else number for row, number in enumerate(numbers)],
        np.int64,
    )


def json_of(columns: Sequence[str], packed: Sequence[str]) -> str:
    """SQL for one JSON object of the columns' values."""
    objects = []
    for start in range(0, len(columns), MEMBERS_PER_OBJECT):
        some = columns[start : start + MEMBERS_PER_OBJECT]
        members = ", ".join(
            f"{literal(column)}, {value(column, column in packed)}" for column in some
        )
        objects.append(f"json_object({members})")
    if len(objects) == 1:
        return objects[0]
    insides = " || ',' || ".join(f"substr({one}, 2, length({one}) - 2)" for one in objects)
    return f"'{{' || {insides} || '}}'"


def list_of(connection: sqlite3.Connection, table: str, nested: Nested) -> str:
    """SQL for the member that lists what another table says of a row, in the order it was said."""
    present = [column for column, _ in columns_of(connection, nested.table)]
    said = json_of([column for column in nested.columns if column in present], ())
    row_number = row_number_of(connection, nested.table, present)
    other = quoted(nested.table)
    order = f"{other}.{row_number}" if row_number else "said"
    return (
        f"json_quote({literal(nested.table)}) || ':[' || coalesce((select group_concat(said, ',')"
        f" from (select {said} as said from {other}"
        f" where {other}.{quoted(nested.column)} = {quoted(table)}.{quoted(nested.of)}"
        f" order by {order})), '') || ']'"
    )


def key_columns(
    connection: sqlite3.Connection, table: str, columns: Sequence[tuple[str, int]]
) -> list[str]:
    """SQL for what tells a table's rows apart: `id`, else its primary key, else the row number."""
    names = [column for column, _ in columns]
    if "id" in names:
        return [quoted("id")]
    declared = sorted((place, column) for column, place in columns if place)
    if declared:
        return [quoted(column) for _, column in declared]
    return ["rowid"]


def value(column: str, is_packed: bool = False) -> str:
    """SQL for a column's value in a form that JSON can hold: blobs as hex, infinity as text."""
    name = quoted(column)
    blob = f"coalesce(unpacked({name}), hex({name}))" if is_packed else f"hex({name})"
    real = f"case when abs({name}) > 1.7976931348623157e308 then cast({name} as text)"
    return (
        f"case typeof({name}) when 'blob' then {blob}"
        f" when 'real' then {real} else {name} end else {name} end"
    )


def quoted(name: str) -> str:
    """A name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a SQL literal."""
    return "'" + text.replace("'", "''") + "'"
