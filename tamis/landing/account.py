"""The account of one landing while it runs: what was read, what is not saved yet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from sqlite3 import Connection as Ledger

from tamis.landing.find import Found
from tamis.landing.intake import Reading
from tamis.state import FileState, Sighting, save_files, save_sightings, transaction

# How much a landing that is killed reads again at most, beside the file it was in.
SAVE_BYTES = 512 << 20


@dataclass
class Tally:
    """Counts for one source entity in one landing."""

    files: int = 0
    records: int = 0
    new_records: int = 0
    rejects: int = 0


@dataclass(frozen=True)
class Done:
    """A file that was read; its counts are final once its intakes are flushed.

    Attributes:
        found: the file.
        readings: its counts by source entity.
        start, end: the bytes read and consumed.
        prefix_sha256: of all bytes before `end`.
        container: of the lines that name no session; None while nothing was landed under it.
        torn: 1 when a last line waits for its newline.
        error: why the file could not be read to its end.
    """

    found: Found
    readings: Mapping[str, Reading]
    start: int = 0
    end: int = 0
    prefix_sha256: str = ""
    container: str | None = None
    torn: int = 0
    error: str | None = None


@dataclass
class Landing:
    """One landing while it runs.

    Attributes:
        landing_id: its key in the ledger.
        ledger: the open state.
        warehouse_id: what file states are saved for.
        known: file states by path, as of the last landing.
        scratch: where databases are copied to; None for the system's own place.
        total_bytes: of the files to read.
        progress: called with bytes read and bytes to read.
        dry_run: nothing is saved.
        environ: the environment, for git and for the secrets of services.
        asks_git: whether git is asked about the folders that lines name.
        bytes, torn, failed, tallies: what happened so far.
        unsaved: files read whose state is not saved yet.
        cwds: the working folders that lines named; asked: those that git was asked about.
    """

    landing_id: str
    ledger: Ledger
    warehouse_id: str
    known: Mapping[str, FileState]
    scratch: Path | None
    total_bytes: int
    progress: Callable[[int, int], None] | None
    dry_run: bool
    environ: Mapping[str, str]
    asks_git: bool
    bytes: int = 0
    unsaved_bytes: int = 0
    torn: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)
    unsaved: list[Done] = field(default_factory=list)
    cwds: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)

    def advance(self, count: int) -> None:
        """Note bytes that were read."""
        self.bytes += count
        self.unsaved_bytes += count
        if self.progress:
            self.progress(self.bytes, self.total_bytes)

    def tally(self, entity: str) -> Tally:
        """The counts of an entity."""
        return self.tallies.setdefault(entity, Tally())

    def count(self, entity: str, reading: Reading) -> None:
        """Add what one reading gave."""
        tally = self.tally(entity)
        tally.records += reading.records
        tally.new_records += reading.new_records
        tally.rejects += reading.rejects

    def close(self, done: Done) -> None:
        """Count a file that was read; its intakes must be flushed."""
        for entity, reading in done.readings.items():
            self.count(entity, reading)
            self.cwds |= reading.cwds
        self.torn += done.torn
        self.unsaved.append(done)
        if done.error:
            self.failed.append((done.found.origin, done.error))

    def save(self) -> None:
        """Remember the files whose rows are committed: their intakes must be flushed."""
        done, self.unsaved, self.unsaved_bytes = self.unsaved, [], 0
        if not self.dry_run:
            with transaction(self.ledger):
                save_files(self.ledger, [self.file_state(one) for one in done if not one.error])
                save_sightings(self.ledger, [row for one in done for row in self.sightings(one)])

    def note_feed(
        self, origin: str, readings: Mapping[str, Reading], error: str | None = None
    ) -> None:
        """Remember what a service gave, or why it gave nothing (under no source entity)."""
        if self.dry_run:
            return
        told = readings or {"": Reading(origin, 0, "")}
        with transaction(self.ledger):
            save_sightings(
                self.ledger,
                [
                    self.sighting(origin, entity, reading, error=error)
                    for entity, reading in told.items()
                ],
            )

    def file_state(self, done: Done) -> FileState:
        """How far a file was read."""
        observed = done.found.observed
        return FileState(
            path=done.found.origin,
            warehouse_id=self.warehouse_id,
            source_entity=done.found.recipe.entities[0],
            size=observed.size,
            mtime_ns=observed.mtime_ns,
            ctime_ns=observed.ctime_ns,
            inode=observed.inode,
            offset=done.end,
            prefix_sha256=done.prefix_sha256,
            container=done.container,
            last_landing_id=self.landing_id,
        )

    def sightings(self, done: Done) -> list[Sighting]:
        """What a file gave in this landing, one sighting per source entity."""
        return [
            replace(
                self.sighting(done.found.origin, entity, reading, error=done.error),
                read_from=done.start,
                read_to=done.end,
                torn=done.torn,
            )
            for entity, reading in done.readings.items()
        ]

    def sighting(self, origin: str, entity: str, reading: Reading, error: str | None) -> Sighting:
        """What a file or a service gave for one source entity."""
        return Sighting(
            landing_id=self.landing_id,
            path=origin,
            source_entity=entity,
            records=reading.records,
            new_records=reading.new_records,
            rejects=reading.rejects,
            error=error,
        )
