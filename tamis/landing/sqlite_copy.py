"""Reading a SQLite database that its owner may be writing to, from a consistent copy."""

import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tamis.sources.source import Nested, Table

TRIES = 5
PAUSE_SECONDS = 0.1
WAL_HEADER_BYTES = 32
ROWS_PER_BATCH = 5_000
SQLITE_MAGIC = b"SQLite format 3\x00"


class Unreadable(Exception):
    """A database that can't be read, with one line that says why."""


@dataclass(frozen=True)
class Rows:
    """Some rows of a table, in lists of one length.

    Attributes:
        keys: the row's key as text.
        positions: the key where it is a number, else how many rows come before in key order.
        payloads: UTF-8 of a JSON object of the row's columns; blobs are hex.
    """

    keys: list[str]
    positions: list[int]
    payloads: list[bytes]


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
        part = sibling(database, ending)
        if part.exists():
            shutil.copyfile(part, sibling(copy, ending))
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
        except sqlite3.Error as error:
            if given or attempt == TRIES:
                raise Unreadable(f"SQLite can't read it: {error}") from error
        time.sleep(PAUSE_SECONDS)


@contextmanager
def open_copy(copy: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose texts are bytes: broken UTF-8 must arrive as it is."""
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.text_factory = bytes
    try:
        yield connection
    finally:
        connection.close()


def columns_of(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The columns of a table, each with its place in the primary key (0 for none)."""
    found = connection.execute(f"pragma table_xinfo({quoted(table)})").fetchall()
    return [(row[1].decode("utf-8", "replace"), row[5]) for row in found]


def select_rows(connection: sqlite3.Connection, wanted: Table) -> Iterator[Rows]:
    """Batches of rows; the JSON text is built inside SQLite, value by value."""
    table = wanted.table
    columns = columns_of(connection, table)
    members = " || ',' || ".join(
        [
            *members_of([column for column, _ in columns]),
            *(
                list_of(connection, table, nested)
                for nested in wanted.nested
                if columns_of(connection, nested.table)
            ),
        ]
    )
    keys = key_columns(connection, table, columns)
    text = " || '/' || ".join(f"coalesce(cast({key} as text), '')" for key in keys)
    cursor = connection.execute(
        f"select {text}, case when typeof({keys[0]}) = 'integer' then {keys[0]} end,"
        f" '{{' || {members} || '}}' from {quoted(table)} order by {', '.join(keys)}"
    )
    count = 0
    while rows := cursor.fetchmany(ROWS_PER_BATCH):
        texts, numbers, payloads = zip(*rows, strict=True)
        places = range(count, count + len(rows))
        yield Rows(
            [text.decode("utf-8", "replace") for text in texts],
            [
                place if number is None else number
                for place, number in zip(places, numbers, strict=True)
            ],
            list(payloads),
        )
        count += len(rows)


def members_of(columns: Sequence[str]) -> list[str]:
    """SQL for the members of a row's JSON object.

    One json_object call would be limited to about 60 columns.
    """
    return [
        f"json_quote({literal(column)}) || ':' || json_quote({value(column)})" for column in columns
    ]


def list_of(connection: sqlite3.Connection, table: str, nested: Nested) -> str:
    """SQL for the member that lists what another table says of a row, in the order it was said."""
    present = {column for column, _ in columns_of(connection, nested.table)}
    members = " || ',' || ".join(members_of([name for name in nested.columns if name in present]))
    other = quoted(nested.table)
    return (
        f"json_quote({literal(nested.table)}) || ':[' || coalesce((select group_concat(said, ',')"
        f" from (select '{{' || {members} || '}}' as said from {other}"
        f" where {other}.{quoted(nested.column)} = {quoted(table)}.{quoted(nested.of)}"
        f" order by {other}.rowid)), '') || ']'"
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


def value(column: str) -> str:
    """SQL for a column's value in a form that JSON can hold: blobs as hex, infinity as text."""
    name = quoted(column)
    infinite = f"typeof({name}) = 'real' and abs({name}) > 1.7976931348623157e308"
    return (
        f"case when typeof({name}) = 'blob' then hex({name})"
        f" when {infinite} then cast({name} as text) else {name} end"
    )


def quoted(name: str) -> str:
    """A name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a SQL literal."""
    return "'" + text.replace("'", "''") + "'"
