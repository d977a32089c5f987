"""Reading one file after the other into its intake, and remembering how far."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection as Ledger
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from tamis.find import Found, error_text
from tamis.intake import Intake, Reading
from tamis.jsonl import (
    BLOCK_BYTES,
    BOM,
    Block,
    Digest,
    Refused,
    complete_object,
    hash_prefix,
    is_utf8,
    parse,
    read_ahead,
    read_blocks,
)
from tamis.records import Store
from tamis.sources.git import checkout
from tamis.sources.source import Companion, Document, Lines, Table
from tamis.sqlite_copy import Unreadable, read_table
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
    """A file that was read; its counts are final once its intake is flushed.

    Attributes:
        found: the file.
        reading: its counts.
        start, end: the bytes read and consumed.
        prefix_sha256: of all bytes before `end`.
        session: the first session id in the file.
        torn: 1 when a last line waits for its newline.
        error: why the file could not be read to its end.
    """

    found: Found
    reading: Reading
    start: int = 0
    end: int = 0
    prefix_sha256: str = ""
    session: str | None = None
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
        bytes, torn, failed, tallies: what happened so far.
        unsaved: files read whose state is not saved yet.
        cwds: the working folders that lines named.
    """

    landing_id: str
    ledger: Ledger
    warehouse_id: str
    known: Mapping[str, FileState]
    scratch: Path | None
    total_bytes: int
    progress: Callable[[int, int], None] | None
    dry_run: bool
    bytes: int = 0
    unsaved_bytes: int = 0
    torn: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)
    unsaved: list[Done] = field(default_factory=list)
    cwds: set[str] = field(default_factory=set)

    def advance(self, count: int) -> None:
        """Note bytes that were read."""
        self.bytes += count
        self.unsaved_bytes += count
        if self.progress:
            self.progress(self.bytes, self.total_bytes)

    def tally(self, entity: str) -> Tally:
        """The counts of an entity."""
        return self.tallies.setdefault(entity, Tally())

    def save(self) -> None:
        """Remember the files whose rows are committed: their intakes must be flushed."""
        done, self.unsaved, self.unsaved_bytes = self.unsaved, [], 0
        if not self.dry_run:
            with transaction(self.ledger):
                save_files(self.ledger, [self.file_state(one) for one in done if not one.error])
                save_sightings(self.ledger, [self.sighting(one) for one in done])

    def file_state(self, done: Done) -> FileState:
        """How far a file was read."""
        observed = done.found.observed
        return FileState(
            path=done.found.origin,
            warehouse_id=self.warehouse_id,
            source_entity=done.found.recipe.entity,
            size=observed.size,
            mtime_ns=observed.mtime_ns,
            ctime_ns=observed.ctime_ns,
            inode=observed.inode,
            offset=done.end,
            prefix_sha256=done.prefix_sha256,
            container=done.session,
            last_landing_id=self.landing_id,
        )

    def sighting(self, done: Done) -> Sighting:
        """What a file gave in this landing."""
        return Sighting(
            landing_id=self.landing_id,
            path=done.found.origin,
            source_entity=done.found.recipe.entity,
            read_from=done.start,
            read_to=done.end,
            records=done.reading.records,
            new_records=done.reading.new_records,
            rejects=done.reading.rejects,
            torn=done.torn,
            error=done.error,
        )


def read_group(store: Store, landing: Landing, files: Sequence[Found]) -> None:
    """Read the files of one entity, the earliest first, so that first sightings come first."""
    if not files:
        return
    entity, recipe = files[0].recipe.entity, files[0].recipe
    landing.tally(entity).files += len(files)
    companions: dict[str, list[tuple[Done, Companion]]] = {}
    waiting = sorted(files, key=lambda found: (found.observed.mtime_ns // 1000, found.origin))
    from_start = False
    with closing(Intake(store, entity, recipe if isinstance(recipe, Lines) else None)) as intake:
        while waiting:
            again: list[Found] = []
            pending: list[Done] = []
            for found in waiting:
                pending.append(read_file(intake, landing, found, from_start))
                if landing.unsaved_bytes >= SAVE_BYTES:
                    again += finish(intake, landing, pending, companions)
                    landing.save()
                    pending = []
            again += finish(intake, landing, pending, companions)
            landing.save()
            waiting, from_start = again, True
    for name, given in companions.items():
        write_companions(store, landing, name, given)


def finish(
    intake: Intake,
    landing: Landing,
    pending: Sequence[Done],
    companions: dict[str, list[tuple[Done, Companion]]],
) -> list[Found]:
    """Write what files gave and count it.

    Returns:
        The files to read again from their start.
    """
    intake.flush()
    again = []
    tally = landing.tally(intake.entity)
    for done in pending:
        reading = done.reading
        landing.cwds |= reading.cwds
        tally.new_records += reading.new_records
        tally.rejects += reading.rejects
        if reading.needs_start:
            again.append(done.found)
            continue
        tally.records += reading.records
        landing.torn += done.torn
        landing.unsaved.append(done)
        if done.error:
            landing.failed.append((done.found.origin, done.error))
        recipe = done.found.recipe
        if isinstance(recipe, Lines) and recipe.companion:
            companion = recipe.companion(done.found.path, done.session)
            if companion:
                companions.setdefault(companion.entity, []).append((done, companion))
    return again


def write_companions(
    store: Store, landing: Landing, entity: str, given: Sequence[tuple[Done, Companion]]
) -> None:
    """Land what files gave beside their lines."""
    with closing(Intake(store, entity, None)) as intake:
        for done, companion in given:
            reading = done.reading
            intake.begin(Reading(reading.origin, reading.modified_us, companion.container))
            add_rows(intake, [companion.payload.encode()], [0], [companion.container])
        close_rows(intake, landing)


def land_checkouts(store: Store, landing: Landing, environ: Mapping[str, str]) -> None:
    """Land what git says of the folders that this landing's lines name.

    A folder is asked about once: its answer is part of the captures from then on.
    """
    rows = store.connection.execute(
        f"select distinct container from {store.known('git__checkouts')}"
    ).fetchall()
    with closing(Intake(store, "git__checkouts", None)) as intake:
        for cwd in sorted(landing.cwds - {container for (container,) in rows}):
            answer = checkout(cwd, environ)
            if answer is not None:
                intake.begin(Reading(cwd, microseconds(store.landed_at), cwd))
                add_rows(intake, [answer.encode()], [0], [cwd])
        close_rows(intake, landing)


def close_rows(intake: Intake, landing: Landing) -> None:
    """Write rows that stand for no file of their own, and count them."""
    intake.flush()
    if not intake.readings:
        return
    tally = landing.tally(intake.entity)
    tally.records += sum(reading.records for reading in intake.readings)
    tally.new_records += sum(reading.new_records for reading in intake.readings)


def microseconds(moment: datetime) -> int:
    """A naive UTC time as microseconds since 1970."""
    return (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def read_file(intake: Intake, landing: Landing, found: Found, from_start: bool) -> Done:
    """Read one file into its intake; trouble with it is reported and not raised."""
    recipe = found.recipe
    modified_us = found.observed.mtime_ns // 1000
    if isinstance(recipe, Lines):
        before = None if from_start else landing.known.get(found.origin)
        return read_lines(intake, landing, found, recipe, before)
    reading = Reading(found.origin, modified_us, recipe.entity)
    intake.begin(reading)
    try:
        if isinstance(recipe, Table):
            read_rows(intake, found.path, recipe, landing.scratch)
        else:
            read_document(intake, found.path, recipe)
    except OSError as error:
        return Done(found, reading, error=error_text(error))
    except Unreadable as error:
        return Done(found, reading, error=str(error))
    landing.advance(found.observed.size)
    return Done(found, reading, end=found.observed.size)


def read_lines(
    intake: Intake, landing: Landing, found: Found, recipe: Lines, before: FileState | None
) -> Done:
    """Read a file's lines, from where the last landing stopped if its beginning is the same."""
    reading = Reading(found.origin, found.observed.mtime_ns // 1000, recipe.name_of(found.path))
    intake.begin(reading)
    done = Done(found, reading)
    try:
        with found.path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            digest: Digest = hashlib.sha256()
            start, session = 0, None
            if before and 0 < before.offset <= size and before.source_entity == recipe.entity:
                prefix = hash_prefix(stream, before.offset)
                if prefix.hexdigest() == before.prefix_sha256:
                    digest, start, session = prefix, before.offset, before.container
            if session is None:
                stream.seek(0)
                session = first_session(stream, recipe)
            reading.container = session or reading.container
            reading.is_tail = start > 0
            stream.seek(start)
            done = Done(found, reading, start, start, digest.hexdigest(), session)
            blocks = read_blocks(stream, start, size, digest)
            for block in read_ahead(blocks) if size - start > BLOCK_BYTES else blocks:
                for refused in block.refused:
                    intake.refuse(refused)
                intake.add(block.text, block.positions)
                landing.advance(block.end - done.end)
                torn = take_tail(intake, block)
                done = replace(done, end=block.end, torn=torn)
            return replace(done, prefix_sha256=digest.hexdigest())
    except OSError as error:
        return replace(done, error=error_text(error))


def take_tail(intake: Intake, block: Block) -> int:
    """Land an unterminated last line if it is a whole object, without consuming it.

    Returns:
        1 when it is torn and waits, else 0.
    """
    has_bom = block.end == 0 and block.tail.startswith(BOM)
    position = block.end + (len(BOM) if has_bom else 0)
    line = block.tail.removeprefix(BOM if has_bom else b"").removesuffix(b"\r")
    if not line.strip():
        return 0
    if complete_object(line) is None:
        return 1
    intake.add(pa.array([line], pa.binary()).cast(pa.string_view()), np.array([position]))
    return 0


def first_session(stream: BinaryIO, recipe: Lines) -> str | None:
    """The first session id that a file names, read from where the stream stands."""
    for line in stream:
        if recipe.session_token not in line:
            continue
        try:
            value = parse(line.removeprefix(BOM).decode())
        except ValueError:
            continue
        session = recipe.session_of(value) if isinstance(value, dict) else None
        if session:
            return session
    return None


def read_rows(intake: Intake, path: Path, recipe: Table, scratch: Path | None) -> None:
    """Read a table's rows."""
    for rows in read_table(path, recipe.table, scratch):
        containers = [f"{recipe.table}/{key}" for key in rows.keys]
        add_rows(intake, rows.payloads, rows.positions, containers)


def read_document(intake: Intake, path: Path, recipe: Document) -> None:
    """Read a small file whole; a broken one is refused whole."""
    data = path.read_bytes()
    if not data.strip():
        return
    try:
        records = list(recipe.records(data.removeprefix(BOM).decode()))
    except ValueError:
        reason = "unparsable JSON" if is_utf8(data) else "invalid UTF-8"
        intake.refuse(Refused(0, reason, data))
        return
    payloads = [payload.encode() for _, payload in records]
    add_rows(intake, payloads, list(range(len(records))), [container for container, _ in records])


def add_rows(
    intake: Intake, payloads: Sequence[bytes], positions: Sequence[int], containers: Sequence[str]
) -> None:
    """Give rows to an intake; those of invalid UTF-8 are refused."""
    valid = list(range(len(payloads)))
    try:
        text = pa.array(payloads, pa.binary()).cast(pa.string_view())
    except pa.ArrowInvalid:
        valid = [row for row in valid if is_utf8(payloads[row])]
        for row in sorted(set(range(len(payloads))) - set(valid)):
            intake.refuse(Refused(positions[row], "invalid UTF-8", payloads[row]))
        text = pa.array([payloads[row] for row in valid], pa.binary()).cast(pa.string_view())
    numbers = np.array([positions[row] for row in valid], np.int64)
    intake.add(text, numbers, [containers[row] for row in valid])
