"""Finding the files to land: which exist, whose they are, which changed since the last time."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tamis.errors import USAGE, TamisError
from tamis.landing.jsonl import open_capture
from tamis.sources import SOURCES
from tamis.sources.source import Answer, Feed, Recipe, Skip, Source
from tamis.state import FileState

HEAD_BYTES = 64 << 10
LONGEST_HEAD_BYTES = 64 << 20
DATABASE_PARTS = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Observed:
    """A file's stat; for a database with a -wal, both together.

    Attributes:
        size: bytes.
        mtime_ns, ctime_ns: nanoseconds since 1970.
        inode: of the file itself.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True)
class Found:
    """A file to read.

    Attributes:
        path: where it is.
        origin: the path as text that every store can hold.
        recipe: how it is read.
        observed: its stat before it was read.
    """

    path: Path
    origin: str
    recipe: Recipe
    observed: Observed


@dataclass
class Finds:
    """What a search found: files to read, unchanged ones, and (path, reason) of the others."""

    files: list[Found] = field(default_factory=list)
    unchanged: list[FileState] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


def chosen_sources(names: Sequence[str] | None) -> tuple[Source, ...]:
    """The sources of these names, all for None.

    Raises:
        TamisError: exit 2 for an unknown name.
    """
    if not names:
        return SOURCES
    known = {source.name: source for source in SOURCES}
    for name in names:
        if name not in known:
            choices = ", ".join(sorted(known))
            raise TamisError(f"unknown source {name!r}: choose from {choices}", USAGE)
    return tuple(known[name] for name in dict.fromkeys(names))


def default_roots(sources: Sequence[Source], environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The places of the sources that exist."""
    places = [root for source in sources for root in source.roots(environ, cwd)]
    return [place for place in dict.fromkeys(places) if os.path.lexists(place)]


def is_address(root: Path | str) -> bool:
    """Whether a place to land from is a service's address and no path."""
    return isinstance(root, str) and "://" in root


def chosen_feeds(
    sources: Sequence[Source], environ: Mapping[str, str], roots: Sequence[Path | str] | None
) -> list[tuple[Feed, str]]:
    """The services to ask, each with its address: the given ones, else those that are set up.

    Raises:
        TamisError: exit 2 for an address that no chosen source answers for.
    """
    feeds = [source.feed for source in sources if source.feed]
    if roots is None:
        return [(feed, address) for feed in feeds for address in feed.addresses(environ)]
    found = []
    for root in roots:
        if isinstance(root, str) and is_address(root):
            scheme = root.partition("://")[0]
            answering = [feed for feed in feeds if scheme in feed.schemes]
            if not answering:
                known = ", ".join(f"{name}://" for feed in feeds for name in feed.schemes)
                raise TamisError(f"no source reads {scheme}:// addresses: {known} can be", USAGE)
            found.append((answering[0], root))
    return found


def find(
    paths: Sequence[Path],
    sources: Sequence[Source],
    known: Mapping[str, FileState],
    *,
    home: Path,
    missing_ok: bool = False,
) -> Finds:
    """Look at every file at or below the paths; only heads are read, unchanged files not at all.

    The home's own files are never opened: when a process closes a database's file, all of its
    locks on it are gone.

    Args:
        paths: files or folders.
        sources: whose files are wanted.
        known: file states by path, as of the last landing.
        home: the home folder, which is passed over; a folder in it may be given.
        missing_ok: pass over paths that do not exist.

    Raises:
        TamisError: exit 3 when a path does not exist.
    """
    finds = Finds()
    seen: set[str] = set()
    own = {(status.st_dev, status.st_ino) for status in [home.stat()]} if home.is_dir() else set()
    for path in paths:
        if not os.path.lexists(path):
            if missing_ok:
                continue
            raise TamisError(f"there is nothing at {path}: check the path")
        for file in walk(path.absolute(), finds, set(own)):
            origin = origin_text(file)
            if origin not in seen and file.parent != home:
                seen.add(origin)
                sort_in(file, origin, sources, known, finds)
    return finds


def walk(path: Path, finds: Finds, entered: set[tuple[int, int]]) -> Iterator[Path]:
    """Every regular file at or below a path in the order of names; linked folders only once."""
    origin = origin_text(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        finds.skipped.append((origin, "a link to nothing"))
        return
    except OSError as error:
        finds.failed.append((origin, error_text(error)))
        return
    if stat.S_ISREG(status.st_mode):
        yield path
    elif not stat.S_ISDIR(status.st_mode):
        finds.skipped.append((origin, "neither a file nor a folder"))
    elif path.suffix in [suffix for source in SOURCES for suffix in source.file_suffixes]:
        finds.failed.append((origin, "it is a folder where a file belongs"))
    elif (status.st_dev, status.st_ino) not in entered:
        entered.add((status.st_dev, status.st_ino))
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            finds.failed.append((origin, error_text(error)))
            return
        for file in inside:
            yield from walk(file, finds, entered)


def sort_in(
    path: Path,
    origin: str,
    sources: Sequence[Source],
    known: Mapping[str, FileState],
    finds: Finds,
) -> None:
    """Put one file where it belongs among the finds."""
    try:
        observed = observe(path)
        before = known.get(origin)
        if before is not None and observed == Observed(
            before.size, before.mtime_ns, before.ctime_ns, before.inode
        ):
            finds.unchanged.append(before)
            return
        head = read_head(path)
    except FileNotFoundError:
        return
    except OSError as error:
        finds.failed.append((origin, error_text(error)))
        return
    if path.name.endswith(DATABASE_PARTS):
        finds.skipped.append((origin, "part of the SQLite database beside it"))
        return
    source, answer = recognise(path, head)
    if source is None or answer is None:
        finds.skipped.append((origin, unknown_because(head)))
    elif isinstance(answer, Skip):
        finds.skipped.append((origin, answer.reason))
    elif source not in sources:
        finds.skipped.append((origin, f"of {source.name}, which was not asked for"))
    else:
        finds.files.append(Found(path, origin, answer, observed))


def unknown_because(head: bytes) -> str:
    """Why no source takes a file with this head."""
    if len(head) >= LONGEST_HEAD_BYTES and b"\n" not in head:
        return f"no source recognises it: its first line is longer than {len(head) >> 20} MB"
    return "no source recognises it" if head else "an empty file"


def recognise(path: Path, head: bytes) -> tuple[Source, Answer] | tuple[None, None]:
    """The source that answers for a file, with its answer.

    One that knows the file as no capture overrules one that takes it for its own.
    """
    answers = [(source, source.recognise(path, head)) for source in SOURCES]
    given = [(source, answer) for source, answer in answers if answer is not None]
    given.sort(key=lambda one: not isinstance(one[1], Skip))
    return given[0] if given else (None, None)


def observe(path: Path) -> Observed:
    """A file's stat, together with that of its -wal where it has one."""
    stats = [path.stat()]
    with suppress(FileNotFoundError):
        stats.append(path.with_name(path.name + "-wal").stat())
    return Observed(
        size=sum(one.st_size for one in stats),
        mtime_ns=max(one.st_mtime_ns for one in stats),
        ctime_ns=max(one.st_ctime_ns for one in stats),
        inode=stats[0].st_ino,
    )


def read_head(path: Path) -> bytes:
    """The first bytes of a file, unpacked; at least one whole line of them, in reason."""
    with open_capture(path) as file:
        head = file.read(HEAD_BYTES)
        while b"\n" not in head and len(head) < LONGEST_HEAD_BYTES:
            more = file.read(len(head))
            if not more:
                break
            head += more
    return head


def is_gone(found: Found) -> bool:
    """Whether a file was moved away or deleted since it was found, which is no trouble."""
    return not os.path.exists(found.path)  # noqa: PTH110 - it never raises


def origin_text(path: Path) -> str:
    """A path as text that UTF-8 can hold."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def error_text(error: OSError) -> str:
    """The system's reason in a few words."""
    return error.strerror or str(error)
