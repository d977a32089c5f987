"""Reading what comes in rows: databases, small documents, services, and git's answers."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa

from tamis.landing.account import SAVE_BYTES, Done, Landing
from tamis.landing.find import Found, error_text, is_gone
from tamis.landing.intake import BATCH_BYTES, Intake, Reading
from tamis.landing.jsonl import BOM, Refused, is_utf8
from tamis.landing.records import Store
from tamis.landing.sqlite_copy import Unreadable, read_tables
from tamis.sources.git import checkout
from tamis.sources.source import Database, Document, Feed, Lines, Record, Unreachable

TRIES = 3
PAUSE_SECONDS = 0.5


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
        return recipe.companion(done.found.path, done.session)
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
    entities = {table.table: table.entity for table in recipe.tables}
    for table, batches in read_tables(found.path, list(entities), landing.scratch):
        entity = entities[table]
        readings[entity] = Reading(found.origin, found.observed.mtime_ns // 1000, entity)
        intake = intakes.begin(entity, readings[entity])
        for rows in batches:
            containers = [f"{table}/{key}" for key in rows.keys]
            add_rows(intake, rows.payloads, rows.positions, containers)
        intakes.bound()


def read_document(
    intakes: Intakes, found: Found, recipe: Document, readings: dict[str, Reading]
) -> None:
    """Read a small file whole; a broken one is refused whole."""
    data = found.path.read_bytes()
    if not data.strip():
        return
    modified_us = found.observed.mtime_ns // 1000
    try:
        records = list(recipe.records(found.path, data.removeprefix(BOM).decode()))
    except ValueError as problem:
        entity = recipe.entities[0]
        readings[entity] = Reading(found.origin, modified_us, entity)
        is_text = not isinstance(problem, UnicodeDecodeError) or is_utf8(data)
        reason = "unparsable JSON" if is_text else "invalid UTF-8"
        intakes.begin(entity, readings[entity]).refuse(Refused(0, reason, data))
        return
    readings.update(give(intakes, records, found.origin, modified_us))


def give(
    intakes: Intakes, records: Sequence[Record], origin: str, modified_us: int
) -> dict[str, Reading]:
    """Give records to their intakes, each with its number as position.

    Returns:
        One reading per source entity.
    """
    readings: dict[str, Reading] = {}
    by_entity: dict[str, list[tuple[int, Record]]] = {}
    for position, record in enumerate(records):
        by_entity.setdefault(record.entity, []).append((position, record))
    for entity, numbered in by_entity.items():
        readings[entity] = Reading(origin, modified_us, entity)
        add_rows(
            intakes.begin(entity, readings[entity]),
            [record.payload.encode() for _, record in numbered],
            [position for position, _ in numbered],
            [record.container for _, record in numbered],
        )
    return readings


def read_feed(store: Store, landing: Landing, feed: Feed, address: str) -> None:
    """Land what a service answers; one that can't be asked is tried again, then reported."""
    origin = public_address(address)
    for attempt in range(1, TRIES + 1):
        try:
            records = list(feed.fetch(address, landing.environ))
            break
        except Unreachable as problem:
            if attempt == TRIES:
                landing.failed.append((origin, str(problem)))
                landing.note_feed(origin, {}, str(problem))
                return
        time.sleep(PAUSE_SECONDS * attempt)
    with open_intakes(store) as intakes:
        readings = give(intakes, records, origin, microseconds(store.landed_at))
        intakes.flush()
    for entity, reading in readings.items():
        landing.count(entity, reading)
    landing.note_feed(origin, readings)


def public_address(address: str) -> str:
    """An address without the name and password that it may hold."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


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
    intake: Intake, payloads: Sequence[bytes], positions: Sequence[int], containers: Sequence[str]
) -> None:
    """Give rows to an intake; those of invalid UTF-8 are refused."""
    valid = list(range(len(payloads)))
    text = None
    with suppress(pa.ArrowInvalid):
        text = pa.array(payloads, pa.binary()).cast(pa.string_view())
    if text is None:
        valid = [row for row in valid if is_utf8(payloads[row])]
        for row in sorted(set(range(len(payloads))) - set(valid)):
            intake.refuse(Refused(positions[row], "invalid UTF-8", payloads[row]))
        text = pa.array([payloads[row] for row in valid], pa.binary()).cast(pa.string_view())
    numbers = np.array([positions[row] for row in valid], np.int64)
    intake.add(text, numbers, [containers[row] for row in valid])
