"""What a source tells tamis about its files: where they are, which are its own, how to read them.

A source is one module with one `Source`. Its `recognise` answers for one file with a recipe:
`Lines`, `Database` or `Document` say how the file is read, `Skip` that the source knows it and why
it is left alone, None that it is not this source's. A service that has no files is a `Feed`.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Record:
    """One record that a document or a feed gives, or a file of lines beside them.

    Attributes:
        entity: the source entity it lands in.
        container: the capture it belongs to. Two records of one file, one container and one
            payload are one record.
        payload: JSON text.
    """

    entity: str
    container: str
    payload: str


@dataclass(frozen=True)
class Lines:
    """A file with one JSON value per line.

    Attributes:
        entity: the source entity that the lines land in.
        session_of: the session id that a parsed line names, or None.
        session_token: bytes that occur in every line for which `session_of` has an answer.
        name_of: the container of lines in a file that names no session.
        session_path: JSON path of the session id where every line may carry its own.
        cwd_path: JSON path of the working folder, where lines carry one.
        companion: the record that a file gives beside its lines, from its path and first session
            id.
    """

    entity: str
    session_of: Callable[[dict[str, Any]], str | None]
    session_token: bytes
    name_of: Callable[[Path], str]
    session_path: str | None = None
    cwd_path: str | None = None
    companion: Callable[[Path, str | None], Record | None] | None = None

    @property
    def entities(self) -> tuple[str, ...]:
        """The source entities that the lines themselves give."""
        return (self.entity,)


@dataclass(frozen=True)
class Nested:
    """Rows of another table that belong to a row of the first: a list of objects in its payload.

    Attributes:
        table: the other table, and the name of the list.
        column: its column that names the row.
        of: the row's column that is named.
        columns: those that are read, in so far as the table has them.
    """

    table: str
    column: str
    of: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table of a SQLite database: one record per row, in a container of table and key.

    Attributes:
        entity: the source entity that the rows land in.
        table: its name in the database.
        payload_of: what the JSON text of a row becomes where a column holds no text, as UTF-8;
            ValueError, with the reason, where it can't be read. None leaves rows as they are.
        nested: what belongs to a row, where only both together tell what was true.
        packed: its columns whose blobs hold text, as it is or packed by zstd; they land as text.
    """

    entity: str
    table: str
    payload_of: Callable[[bytes], bytes] | None = None
    nested: tuple[Nested, ...] = ()
    packed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Database:
    """A SQLite database, read from one consistent copy with its -wal.

    Attributes:
        tables: those that are read, each with the columns that it has in this file. One that
            is missing is passed over; a database that has none of them is reported.
    """

    tables: tuple[Table, ...]

    @property
    def entities(self) -> tuple[str, ...]:
        """The source entities that it gives."""
        return tuple(table.entity for table in self.tables)


@dataclass(frozen=True)
class Document:
    """A small file that is read whole.

    Attributes:
        entities: the source entities that it gives.
        records: its records, from its path and text; ValueError when it is broken.
    """

    entities: tuple[str, ...]
    records: Callable[[Path, str], Iterator[Record]]


class Unreachable(Exception):
    """A service that gives no answer or a wrong one, with one line that says why."""


@dataclass(frozen=True)
class Feed:
    """A service that is asked for its records.

    Attributes:
        schemes: the schemes of its addresses, such as "http".
        addresses: where it usually is, from the environment; empty where nothing says so.
        fetch: its records, from the address and the environment, which holds the secrets;
            Unreachable when it can't be asked.
    """

    schemes: tuple[str, ...]
    addresses: Callable[[Mapping[str, str]], list[str]]
    fetch: Callable[[str, Mapping[str, str]], Iterator[Record]]


@dataclass(frozen=True)
class Skip:
    """A file that the source knows and leaves alone, with the reason."""

    reason: str


Recipe = Lines | Database | Document
Answer = Recipe | Skip


@dataclass(frozen=True)
class Source:
    """One system whose captures tamis reads.

    Attributes:
        name: what `tamis land NAME` takes.
        entities: the source entities, each a table `raw.<entity>`.
        roots: where its captures usually are, from the environment and the working folder;
            the paths need not exist.
        recognise: the answer for one file from its path and its head: the first bytes, which
            hold at least one whole line, or the whole file where it is small.
        file_suffixes: endings with which a folder is a mistake and not a place to look into.
        feed: how its service is asked, where it has one.
        version_of: what a file says of the version that wrote it, from its path and its head;
            None where it says nothing. Databases that number their schema need none.
    """

    name: str
    entities: tuple[str, ...]
    roots: Callable[[Mapping[str, str], Path], list[Path]]
    recognise: Callable[[Path, bytes], Answer | None]
    file_suffixes: tuple[str, ...] = ()
    feed: Feed | None = None
    version_of: Callable[[Path, bytes], str | None] | None = None


def head_objects(head: bytes, limit: int = 50) -> list[dict[str, Any]]:
    """The JSON objects among the first lines of a file; broken lines are passed over."""
    found = []
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n")[:limit]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def document_json(text: str) -> Any:
    """The value of a document's JSON text; numbers that JSON can't write again become texts.

    Python's own writer leaves NaN and Infinity in files, and a whole capture must not be lost
    for a score that could not be told.

    Raises:
        ValueError: when the text is no JSON, or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=str, parse_float=finite_or_text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def finite_or_text(text: str) -> float | str:
    """The number that a text stands for, and the text itself where it is too large for one."""
    number = float(text)
    return number if isfinite(number) else text


def text_or_none(value: Any) -> str | None:
    """The value where it is a text that UTF-8 can hold and not empty, else None."""
    if not isinstance(value, str) or not value:
        return None
    try:
        value.encode()
    except UnicodeEncodeError:
        return None
    return value


def name_text(name: str) -> str:
    """A file's or folder's name as text that UTF-8 can hold."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def compact_json(value: Any) -> str:
    """JSON text without spaces; non-ASCII as it is, unless UTF-8 can't hold it.

    Raises:
        ValueError: when the value is nested too deeply.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return text
