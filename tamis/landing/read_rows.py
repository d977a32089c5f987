"""Reading what comes in rows: databases, small documents, services, and git's answers."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa

from tamis.landing.account import SAVE_BYTES, Done, Landing
from tamis.landing.find import Found, error_text, is_gone
from tamis.landing.intake import BATCH_BYTES, Intake, Reading
from tamis.landing.jsonl import BOM, Refused, is_utf8, read_ahead, split_lines
from tamis.landing.records import Store
from tamis.landing.sqlite_copy import Rows, Unreadable, read_tables
from tamis.sources.git import checkout
from tamis.sources.source import Database, Document, Feed, Lines, Record, Unreachable

TRIES = 3
PAUSE_SECONDS = 0.5
# A document is held in memory several times over.
LONGEST_DOCUMENT_BYTES = 256 << 20
# What a document of a shape that nobody thought of makes of the code that reads it.
UNFORESEEN = (TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
# Of a document or a service: how many are held as objects.
RECORDS_AT_ONCE = 5_000


class Intakes:
    """An intake for each source entity that turns up, with one bound on what all of them hold."""

    def __init__(self, store: Store) -> None:
        """Args: where the records go."""
        self.store = store
        self.opened: dict[str, Intake] = {}

    def begin(self, entity: str, reading: Reading) -> Intake:
        """The intake of an entity, ready for what this reading gives."""
        if entity not in self.opened:
            self.opened[entity] = Intake(self.store, entity, None)
        self.opened[entity].begin(reading)
        return self.opened[entity]

    def flush(self) -> None:
        """Write what was taken."""
        for intake in self.opened.values():
            intake.flush()

    def bound(self) -> None:
        """Write what was taken once it is much."""
        if sum(intake.bytes for intake in self.opened.values()) >= BATCH_BYTES:
            self.flush()

    def close(self) -> None:
        """End the writing threads, even after trouble; what was not flushed is lost."""
        for intake in self.opened.values():
            intake.close()


@contextmanager
def open_intakes(store: Store) -> Iterator[Intakes]:
    """Intakes that are closed at the end."""
    intakes = Intakes(store)
    try:
        yield intakes
    finally:
        intakes.close()


def read_whole_files(store: Store, landing: Landing, files: Sequence[Found]) -> None:
    """Read databases and documents, the earliest first, so that first sightings come first."""
    pending: list[Done] = []
    with open_intakes(store) as intakes:
        for found in sorted(files, key=lambda one: (one.observed.mtime_ns // 1000, one.origin)):
            landing.tally(found.recipe.entities[0]).files += 1
            pending.append(read_whole_file(intakes, landing, found))
            intakes.bound()
            if landing.unsaved_bytes >= SAVE_BYTES:
                intakes.flush()
                settle(store, landing, pending)
                pending = []
        intakes.flush()
        settle(store, landing, pending)


def settle(store: Store, landing: Landing, done: Sequence[Done]) -> None:
    """Land what belongs to files whose rows are written, count them, and only then remember them.

    A landing that is killed before reads the files again and finds their rows there.
    """
    for one in done:
        landing.close(one)
    companions = [(one, companion) for one in done if (companion := companion_of(one))]
    with open_intakes(store) as intakes:
        readings = [
            give(intakes, [companion], one.found.origin, one.found.observed.mtime_ns // 1000)
            for one, companion in companions
        ]
        if landing.asks_git:
            readings += ask_git(store, landing, intakes)
        intakes.flush()
    for given in readings:
        for entity, reading in given.items():
            landing.count(entity, reading)
    landing.save()


def companion_of(done: Done) -> Record | None:
    """The record that a file gives beside its lines."""
    recipe = done.found.recipe
    if isinstance(recipe, Lines) and recipe.companion:
        return recipe.companion(done.found.path, done.container)
    return None


def read_whole_file(intakes: Intakes, landing: Landing, found: Found) -> Done:
    """Read one file into its intakes; trouble with it is reported and not raised."""
    readings: dict[str, Reading] = {}
    error = None
    try:
        if isinstance(found.recipe, Database):
            read_database(intakes, landing, found, found.recipe, readings)
        elif isinstance(found.recipe, Document):
            read_document(intakes, found, found.recipe, readings)
    except OSError as problem:
        error = None if is_gone(found) else error_text(problem)
    except Unreadable as problem:
        error = str(problem)
    if not readings:
        # What can't be read is a sighting too, under the entity that it would have given first.
        entity = found.recipe.entities[0]
        readings[entity] = Reading(found.origin, found.observed.mtime_ns // 1000, entity)
    if error is None:
        landing.advance(found.observed.size)
    return Done(found, readings, end=0 if error else found.observed.size, error=error)


def read_database(
    intakes: Intakes,
    landing: Landing,
    found: Found,
    recipe: Database,
    readings: dict[str, Reading],
) -> None:
    """Read the tables that a database has."""
    for table, batches in read_tables(found.path, recipe.tables, landing.scratch):
        entity = table.entity
        if entity not in readings:
            readings[entity] = Reading(found.origin, found.observed.mtime_ns // 1000, entity)
        intake = intakes.begin(entity, readings[entity])
        for rows in read_ahead(batches):
            add_rows(intake, rows, table.payload_of)
        intakes.bound()


def read_document(
    intakes: Intakes, found: Found, recipe: Document, readings: dict[str, Reading]
) -> None:
    """Read a small file whole; a broken one is refused whole."""
    with found.path.open("rb") as file:
        data = file.read(LONGEST_DOCUMENT_BYTES + 1)
    if not data.strip():
        return
    modified_us = found.observed.mtime_ns // 1000
    if len(data) > LONGEST_DOCUMENT_BYTES:
        raise Unreadable(f"it is longer than {LONGEST_DOCUMENT_BYTES >> 20} MB")
    try:
        records = list(recipe.records(found.path, data.removeprefix(BOM).decode()))
    except (ValueError, *UNFORESEEN) as problem:
        entity = recipe.entities[0]
        readings[entity] = Reading(found.origin, modified_us, entity)
        is_text = not isinstance(problem, UnicodeDecodeError) or is_utf8(data)
        reason = "unparsable JSON" if is_text else "invalid UTF-8"
        if not isinstance(problem, ValueError):
            reason = f"another shape than its source knows: {type(problem).__name__}"
        intakes.begin(entity, readings[entity]).refuse(Refused(0, reason, data))
        return
    readings.update(give(intakes, records, found.origin, modified_us))


def give(
    intakes: Intakes, records: Iterable[Record], origin: str, modified_us: int
) -> dict[str, Reading]:
    """Give records to their intakes, each with its number as position.

    Returns:
        One reading per source entity.
    """
    readings: dict[str, Reading] = {}
    give_on(intakes, records, origin, modified_us, readings)
    return readings


def give_on(
    intakes: Intakes,
    records: Iterable[Record],
    origin: str,
    modified_us: int,
    readings: dict[str, Reading],
) -> None:
    """As `give`; what was given stays in `readings` when the records end in trouble."""
    chunk: list[tuple[int, Record]] = []
    try:
        for numbered in enumerate(records):
            chunk.append(numbered)
            if len(chunk) == RECORDS_AT_ONCE:
                taken, chunk = chunk, []
                give_chunk(intakes, taken, origin, modified_us, readings)
    finally:
        give_chunk(intakes, chunk, origin, modified_us, readings)


def give_chunk(
    intakes: Intakes,
    numbered: Sequence[tuple[int, Record]],
    origin: str,
    modified_us: int,
    readings: dict[str, Reading],
) -> None:
    """Give numbered records to the intakes of their entities, in their readings."""
    by_entity: dict[str, list[tuple[int, Record]]] = {}
    for position, record in numbered:
        by_entity.setdefault(record.entity, []).append((position, record))
    for entity, rows in by_entity.items():
        if entity not in readings:
            readings[entity] = Reading(origin, modified_us, entity)
            intakes.begin(entity, readings[entity])
        intakes.opened[entity].add(
            pa.array([record.payload for _, record in rows], pa.string_view()),
            np.array([position for position, _ in rows], np.int64),
            pa.array([record.container for _, record in rows], pa.string()),
        )
    intakes.bound()


def read_feed(store: Store, landing: Landing, feed: Feed, address: str) -> None:
    """Land what a service answers; one that can't be asked is tried again, then reported.

    What it gave before it failed stays.
    """
    origin = public_address(address)
    for attempt in range(1, TRIES + 1):
        readings: dict[str, Reading] = {}
        error = None
        with open_intakes(store) as intakes:
            try:
                records = feed.fetch(address, landing.environ)
                give_on(intakes, records, origin, microseconds(store.landed_at), readings)
            except Unreachable as problem:
                error = str(problem)
            intakes.flush()
        is_last = error is None or attempt == TRIES
        for entity, reading in readings.items():
            # Records are those of one answer, whichever try it was that brought them.
            landing.count(entity, reading if is_last else replace(reading, records=0))
        if is_last:
            break
        time.sleep(PAUSE_SECONDS * attempt)
    if error is not None:
        landing.failed.append((origin, error))
    landing.note_feed(origin, readings, error)


def public_address(address: str) -> str:
    """An address without the name and password that it may hold, and without its query.

    An unescaped `/`, `?` or `#` in a password ends the part that holds it for every parser, so
    in addresses of databases, whose paths hold no `@`, the last one counts.
    """
    scheme, _, rest = address.partition("://")
    if scheme not in ("http", "https"):
        rest = rest.rpartition("@")[2]
    rest = re.split(r"[?#]", rest, maxsplit=1)[0]
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def ask_git(store: Store, landing: Landing, intakes: Intakes) -> list[dict[str, Reading]]:
    """Land what git says of the folders that lines name and that were never asked about.

    A folder is asked about once: its answer is part of the captures from then on. Only where
    git refused to look it is asked again, in every landing that meets the folder.
    """
    rows = store.connection.execute(
        f"select distinct container from {store.known('git__checkouts', 'payload')}"
        " where coalesce(not contains(payload, '\"refused\":'), true)"
    ).fetchall()
    landing.asked |= {container for (container,) in rows}
    readings = []
    for cwd in sorted(landing.cwds - landing.asked):
        landing.asked.add(cwd)
        answer = checkout(cwd, landing.environ)
        if answer is not None:
            record = Record("git__checkouts", cwd, answer)
            readings.append(give(intakes, [record], cwd, microseconds(store.landed_at)))
    return readings


def microseconds(moment: datetime) -> int:
    """A naive UTC time as microseconds since 1970."""
    return (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def add_rows(
    intake: Intake, rows: Rows, payload_of: Callable[[bytes], bytes] | None = None
) -> None:
    """Give rows to an intake, as their table wants them; those that can't be read are refused."""
    text, starts, refused = split_lines(rows.lines, 0)
    positions, containers = rows.positions, rows.containers
    if refused:
        broken = np.array([line.position for line in refused])
        where = np.searchsorted(np.sort(np.concatenate([starts, broken])), broken)
        for row, line in zip(where.tolist(), refused, strict=True):
            intake.refuse(replace(line, position=int(positions[row])))
        is_valid = np.ones(len(positions), bool)
        is_valid[where] = False
        positions, containers = positions[is_valid], containers.filter(pa.array(is_valid))
    if payload_of is not None:
        payloads, is_read = [], np.zeros(len(positions), bool)
        for row, line in enumerate(text.to_pylist()):
            try:
                payloads.append(payload_of(line.encode()).decode())
                is_read[row] = True
            except (ValueError, *UNFORESEEN) as problem:
                intake.refuse(Refused(int(positions[row]), str(problem), line.encode()))
        text = pa.array(payloads, pa.string_view())
        positions, containers = positions[is_read], containers.filter(pa.array(is_read))
    intake.add(text, positions, containers)
