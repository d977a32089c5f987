"""Landing on and on: whenever captures grow, until it is told to stop."""

import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from watchfiles import watch as file_changes

from tamis.errors import Busy, TamisError
from tamis.land import LandingReport, given_paths, land
from tamis.landing.find import (
    DATABASE_PARTS,
    Observed,
    chosen_feeds,
    chosen_sources,
    default_roots,
    find,
    observe,
)
from tamis.state import file_states, open_state

# A batch is what changes until nothing did for the shorter time, or until the longer is over.
QUIET_MILLISECONDS = 500
BATCH_MILLISECONDS = 5_000
# How often it is seen that a place appeared, went, or is another folder now.
LOOK_MILLISECONDS = 1_000
# Where the system tells of no changes, every file is looked at in turn.
POLL_MILLISECONDS = 3_000
BUSY_SECONDS = 1.0


class Untold(Exception):
    """The system tells of no changes, with its reason."""


class Stop(Protocol):
    """Says when to end."""

    def is_set(self) -> bool: ...


class Signalled:
    """Set by SIGINT or SIGTERM; a second one acts at once, as if nobody had listened.

    No `threading.Event`: its lock may be held by the very code that a signal interrupts.
    """

    def __init__(self) -> None:
        """Listen from now on."""
        self.asked = False
        self.before = {
            number: signal.signal(number, self.ask) for number in (signal.SIGINT, signal.SIGTERM)
        }

    def ask(self, number: int, frame: Any) -> None:
        """What a signal calls."""
        self.asked = True
        signal.signal(number, self.before[signal.Signals(number)])

    def is_set(self) -> bool:
        """Whether a signal came."""
        return self.asked


@dataclass(frozen=True)
class Places:
    """What is watched at one moment.

    Attributes:
        folders: each with device and inode, so that a folder made anew is another one.
        files: what is named and is no folder, each with its stat; None where nothing is there.
    """

    folders: Mapping[Path, tuple[int, int]]
    files: Mapping[Path, Observed | None]


@dataclass
class Watch:
    """A landing that goes on.

    Attributes:
        home: the home folder.
        roots: files, folders and addresses, which need not exist yet; None for the sources'
            usual places.
        sources: names of the sources to read; None for all.
        environ, cwd: as for a landing.
        clock: the time, naive UTC.
        every_seconds: when services are asked again, and every file is looked at in any case.
        tell: called after each batch that read something or newly could not.
        note: called with a line on how things go.
        stop: ends the watch after the batch that it is in.
    """

    home: Path
    roots: Sequence[Path | str] | None
    sources: Sequence[str] | None
    environ: Mapping[str, str]
    cwd: Path
    clock: Callable[[], datetime]
    every_seconds: float
    tell: Callable[[LandingReport], None]
    note: Callable[[str], None]
    stop: Stop
    polls: bool = False
    failed: frozenset[tuple[str, str]] = frozenset()

    def run(self) -> None:
        """Land what is there, then what comes, until `stop` is set.

        The warehouse and the writer lock are held only while a batch is written; where another
        process holds them, the batch waits.

        Raises:
            TamisError: as a landing does, apart from missing paths and busy warehouses.
        """
        chosen_feeds(chosen_sources(self.sources), self.environ, self.roots)
        self.note("watching: stop with Ctrl-C")
        while not self.stop.is_set():
            try:
                self.follow(self.look())
            except Untold as error:
                if self.polls:
                    raise TamisError(f"can't watch any longer: {error}") from error
                self.note(f"the system tells of no changes ({error}): looking at every file")
                self.polls = True

    def look(self) -> Places:
        """The places as they are now."""
        wanted = (
            given_paths(self.roots, self.environ)
            if self.roots is not None
            else default_roots(chosen_sources(self.sources), self.environ, self.cwd)
        )
        folders: dict[Path, tuple[int, int]] = {}
        files: dict[Path, Observed | None] = {}
        for path in wanted:
            try:
                status = path.stat()
                if path.is_dir():
                    folders[path] = (status.st_dev, status.st_ino)
                else:
                    files[path] = observe(path)
            except OSError:
                files[path] = None
        return Places(folders, files)

    def follow(self, places: Places) -> None:
        """Land all, then what changes, while the folders stay what they are."""
        due = time.monotonic()
        for changed in self.changes(places):
            if time.monotonic() >= due or any(not is_below(path, places) for path in changed):
                self.land(None)
                due = time.monotonic() + self.every_seconds
            elif changed:
                self.land(changed)
            now = self.look()
            if self.stop.is_set() or now.folders != places.folders:
                return

    def changes(self, places: Places) -> Iterator[set[Path]]:
        """What changed since the last time, empty where nothing did; first once all is watched.

        Raises:
            Untold: when the system can't tell of changes.
        """
        try:
            yield from self.told_changes(places)
        except FileNotFoundError:
            # A folder went between the look and the watch: time for another look.
            return
        except (OSError, RuntimeError) as error:
            raise Untold(str(error)) from error

    def told_changes(self, places: Places) -> Iterator[set[Path]]:
        """The changes, with whatever errors the watcher raises."""
        files = places.files
        for told in file_changes(
            *places.folders,
            watch_filter=lambda _, path: self.home not in Path(path).parents,
            debounce=BATCH_MILLISECONDS,
            step=QUIET_MILLISECONDS,
            rust_timeout=LOOK_MILLISECONDS,
            yield_on_timeout=True,
            stop_event=self.stop,
            raise_interrupt=False,
            force_polling=self.polls or None,
            poll_delay_ms=POLL_MILLISECONDS,
            ignore_permission_denied=True,
        ):
            seen = self.look().files
            moved = {path for path, now in seen.items() if now and files.get(path) != now}
            files = seen
            yield {capture_of(Path(path)) for _, path in told} | moved

    def land(self, changed: Collection[Path] | None) -> None:
        """Land one batch: these paths, or everything; waits while others hold the warehouse."""
        is_waiting = False
        while self.is_worthwhile(changed):
            try:
                report = land(
                    self.home,
                    roots=self.existing_roots(),
                    sources=self.sources,
                    environ=self.environ,
                    cwd=self.cwd,
                    now=self.clock(),
                    changed=changed,
                )
            except Busy as error:
                if not is_waiting:
                    self.note(f"waiting: {error}")
                is_waiting = True
                self.wait(BUSY_SECONDS)
                if self.stop.is_set():
                    return
                continue
            failed = frozenset(report.failed)
            if report.records or report.rejects or report.torn or failed - self.failed:
                self.tell(report)
            self.failed = failed if changed is None else self.failed | failed
            return

    def existing_roots(self) -> list[Path | str] | None:
        """The roots without paths that are not there (yet)."""
        if self.roots is None:
            return None
        missing = [path for path in given_paths(self.roots, self.environ) if not path.exists()]
        return [
            root for root in self.roots if not set(given_paths([root], self.environ)) & set(missing)
        ]

    def is_worthwhile(self, changed: Collection[Path] | None) -> bool:
        """Whether a landing would read anything; each leaves a row in the ledger."""
        chosen = chosen_sources(self.sources)
        if changed is None and chosen_feeds(chosen, self.environ, self.roots):
            return True
        places = self.look()
        paths = [*places.folders, *places.files] if changed is None else list(changed)
        with open_state(self.home, read_only=not self.home.is_dir()) as ledger:
            known = file_states(ledger, None)
        finds = find(paths, chosen, known, home=self.home, missing_ok=True)
        return bool(finds.files) or not set(finds.failed) <= self.failed

    def wait(self, seconds: float) -> None:
        """Sleep, but wake up soon after `stop` is set."""
        end = time.monotonic() + seconds
        while not self.stop.is_set() and (left := end - time.monotonic()) > 0:
            time.sleep(min(0.1, left))


def capture_of(path: Path) -> Path:
    """The file that a change is about: for a part of a database the database."""
    for ending in DATABASE_PARTS:
        if path.name.endswith(ending):
            return path.with_name(path.name.removesuffix(ending))
    return path


def is_below(path: Path, places: Places) -> bool:
    """Whether a path has the name by which a landing of the places would find it."""
    return path in places.files or any(folder in (path, *path.parents) for folder in places.folders)
