"""Reading files of lines into their intake, and remembering how far."""

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from tamis.landing.account import SAVE_BYTES, Done, Landing
from tamis.landing.find import Found, error_text, is_gone
from tamis.landing.intake import Intake, Reading
from tamis.landing.jsonl import (
    BLOCK_BYTES,
    BOM,
    LONGEST_LINE_BYTES,
    Block,
    Digest,
    complete_object,
    hash_prefix,
    is_compressed,
    open_capture,
    parse,
    read_ahead,
    read_blocks,
)
from tamis.landing.read_rows import settle
from tamis.landing.records import Store
from tamis.sources.source import Lines, name_text
from tamis.state import FileState


def read_line_files(
    store: Store, landing: Landing, entity: str, files: Sequence[tuple[Found, Lines]]
) -> None:
    """Read the files of one entity, the earliest first, so that first sightings come first."""
    if not files:
        return
    landing.tally(entity).files += len(files)
    waiting = sorted(files, key=lambda one: (one[0].observed.mtime_ns // 1000, one[0].origin))
    from_start = False
    with closing(Intake(store, entity, files[0][1])) as intake:
        while waiting:
            again: list[tuple[Found, Lines]] = []
            pending: list[Done] = []
            for found, recipe in waiting:
                before = None if from_start else landing.known.get(found.origin)
                pending.append(read_lines(intake, landing, found, recipe, before))
                if landing.unsaved_bytes >= SAVE_BYTES:
                    again += finish(intake, store, landing, pending)
                    pending = []
            again += finish(intake, store, landing, pending)
            waiting, from_start = again, True


def finish(
    intake: Intake, store: Store, landing: Landing, pending: Sequence[Done]
) -> list[tuple[Found, Lines]]:
    """Write what files gave, count it and remember it.

    Returns:
        The files to read again from their start.
    """
    intake.flush()
    again, done = [], []
    for one in pending:
        reading, recipe = one.readings[intake.entity], one.found.recipe
        if reading.needs_start and isinstance(recipe, Lines):
            # What came before the repeated line is in raw; the second reading counts the rest.
            tally = landing.tally(intake.entity)
            tally.new_records += reading.new_records
            tally.rejects += reading.rejects
            again.append((one.found, recipe))
        else:
            done.append(one)
    settle(store, landing, done)
    return again


def read_lines(
    intake: Intake, landing: Landing, found: Found, recipe: Lines, before: FileState | None
) -> Done:
    """Read a file's lines, from where the last landing stopped if its beginning is the same."""
    name = name_text(recipe.name_of(found.path))
    reading = Reading(found.origin, found.observed.mtime_ns // 1000, name)
    intake.begin(reading)
    done = Done(found, {recipe.entity: reading})
    compressed = is_compressed(found.path)
    try:
        with open_capture(found.path) as stream:
            size = sys.maxsize if compressed else os.fstat(stream.fileno()).st_size
            digest: Digest = hashlib.sha256()
            start, container = 0, None
            if before and before.offset > 0 and before.source_entity == recipe.entity:
                prefix = hash_prefix(stream, before.offset)
                if prefix.hexdigest() == before.prefix_sha256:
                    digest, start, container = prefix, before.offset, before.container
                elif before.container == reading.container:
                    # A session id that turns up late must not land the same lines once more.
                    container = before.container
            if container is None:
                with open_capture(found.path) as beginning:
                    container = first_session(beginning, recipe)
            reading.container = container or reading.container
            reading.is_tail = start > 0
            if not compressed:
                stream.seek(start)
            done = replace(
                done, start=start, end=start, prefix_sha256=digest.hexdigest(), container=container
            )
            blocks = read_blocks(stream, start, size, digest)
            for block in read_ahead(blocks) if size - start > BLOCK_BYTES else blocks:
                for refused in block.refused:
                    intake.refuse(refused)
                intake.add(block.text, block.positions)
                landing.advance(0 if compressed else block.end - done.end)
                torn = take_tail(intake, block)
                done = replace(done, end=block.end, torn=torn)
                if done.end:
                    done = replace(done, container=reading.container)
            if compressed:
                landing.advance(found.observed.size)
                # Offsets of what is inside say nothing of a file that is compressed again.
                return replace(done, end=0)
            return replace(done, prefix_sha256=digest.hexdigest())
    except OSError as error:
        return done if is_gone(found) else replace(done, error=error_text(error))


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
    """The first session id that a file names, read from where the stream stands.

    Where only a header names it, that is the first record: one further down is another file's,
    and a file's container must not depend on how far it was written.
    """
    for line in short_lines(stream):
        is_candidate = recipe.session_token in line
        if not is_candidate and recipe.session_path:
            continue
        try:
            value = parse(line.removeprefix(BOM).decode())
        except ValueError:
            continue
        session = recipe.session_of(value) if is_candidate and isinstance(value, dict) else None
        if session or not recipe.session_path:
            return session
    return None


def short_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, without those that are too long to land."""
    is_inside = False
    while line := stream.readline(LONGEST_LINE_BYTES):
        is_whole = line.endswith(b"\n") or len(line) < LONGEST_LINE_BYTES
        if is_whole and not is_inside:
            yield line
        is_inside = not is_whole
