"""What there is to land: every source with its places, its files, and what is new in them."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection as Ledger

from tamis.errors import TamisError
from tamis.landing.find import (
    Finds,
    Found,
    chosen_feeds,
    default_roots,
    find,
    is_address,
    origin_text,
    read_head,
)
from tamis.landing.jsonl import is_compressed
from tamis.landing.read_rows import public_address
from tamis.sources import SOURCES
from tamis.sources.source import Lines, Source
from tamis.sources.sqlite_schema import SQLITE_MAGIC
from tamis.state import FileState, file_states, places
from tamis.warehouse import connect, warehouse_id, warehouse_path

# Where SQLite keeps the number that a program gives to its schema.
USER_VERSION = slice(60, 64)


@dataclass(frozen=True)
class SourceFound:
    """What is there of one source, whether landed or not.

    Attributes:
        source: its name.
        version: of the program that wrote its newest file, as far as the file says it.
        places: folders, files and addresses where it was looked for and that exist.
        files, bytes: of all its captures.
        new_files: those that never landed.
        changed_files: those that grew or changed since they landed.
        new_bytes: what a landing would read of both.
    """

    source: str
    version: str | None
    places: tuple[str, ...]
    files: int
    bytes: int
    new_files: int
    changed_files: int
    new_bytes: int


@dataclass(frozen=True)
class Discovery:
    """What is there, one entry for every source; and (path, reason) of what can't land.

    Attributes:
        sources: in the order in which they are read.
        skipped: files that no source takes.
        failed: what could not be looked at.
    """

    sources: tuple[SourceFound, ...]
    skipped: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...]


def discover(home: Path, ledger: Ledger, environ: Mapping[str, str], cwd: Path) -> Discovery:
    """Look at the usual places, and at those that earlier landings were given.

    Files that landed and did not change since are not opened; of the others the heads are read.

    Args:
        home: its warehouse says which file states hold; it need not exist.
        ledger: the open state.
        environ: the environment, for the usual places.
        cwd: the working folder, where a workspace's captures are searched from.
    """
    given = [Path(place) for place in places(ledger) if not is_address(place)]
    usual = default_roots(SOURCES, environ, cwd)
    known = file_states(ledger, kept_warehouse(home))
    paths = list(dict.fromkeys([*usual, *given]))
    finds = find(paths, SOURCES, known, home=home, missing_ok=True)
    feeds = [(feed, public_address(at)) for feed, at in chosen_feeds(SOURCES, environ, None)]
    sources = []
    for source in SOURCES:
        to_read = [one for one in finds.files if set(one.recipe.entities) <= set(source.entities)]
        unchanged = [one for one in finds.unchanged if one.source_entity in source.entities]
        own = [root for root in source.roots(environ, cwd) if os.path.lexists(root)]
        holders = [*(one.path for one in to_read), *(Path(one.path) for one in unchanged)]
        holding = [at for at in given if any(at in (path, *path.parents) for path in holders)]
        asked = [address for feed, address in feeds if feed is source.feed]
        if source.feed:
            schemes = tuple(f"{scheme}://" for scheme in source.feed.schemes)
            asked += [place for place in places(ledger) if place.startswith(schemes)]
        sources.append(
            SourceFound(
                source=source.name,
                version=version_of(source, to_read, unchanged),
                places=tuple(dict.fromkeys([*map(origin_text, [*own, *holding]), *asked])),
                files=len(to_read) + len(unchanged),
                bytes=sum(one.observed.size for one in to_read)
                + sum(one.size for one in unchanged),
                new_files=sum(one.origin not in known for one in to_read),
                changed_files=sum(one.origin in known for one in to_read),
                new_bytes=sum(unread_bytes(one, known.get(one.origin)) for one in to_read),
            )
        )
    return Discovery(tuple(sources), *reasons(finds))


def reasons(finds: Finds) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """What was skipped and what failed, each by path."""
    return tuple(sorted(finds.skipped)), tuple(sorted(finds.failed))


def kept_warehouse(home: Path) -> str | None:
    """The id of the home's warehouse; None where there is none or it can't be opened now."""
    if not warehouse_path(home).exists():
        return None
    try:
        connection = connect(home, read_only=True)
    except TamisError:
        return None
    try:
        return warehouse_id(connection)
    finally:
        connection.close()


def unread_bytes(found: Found, before: FileState | None) -> int:
    """How much of a file a landing would read: the tail of lines that grew, else all of it."""
    size = found.observed.size
    grows = isinstance(found.recipe, Lines) and not is_compressed(found.path)
    return size - before.offset if before and grows and before.offset <= size else size


def version_of(
    source: Source, to_read: Sequence[Found], unchanged: Sequence[FileState]
) -> str | None:
    """What the newest file of a source says of its writer; None where it says nothing."""
    dated = [(one.observed.mtime_ns, one.path) for one in to_read]
    dated += [(one.mtime_ns, Path(one.path)) for one in unchanged]
    if not dated:
        return None
    _, newest = max(dated)
    try:
        head = read_head(newest)
    except OSError:
        return None
    if source.version_of:
        return source.version_of(newest, head)
    number = int.from_bytes(head[USER_VERSION], "big") if head.startswith(SQLITE_MAGIC) else 0
    return f"schema {number}" if number else None
