"""From the lines of files to raw records, in batches that know no file boundaries."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.landing.jsonl import Refused, parse, text_bytes
from tamis.landing.records import (
    Batch,
    Origins,
    Store,
    insert,
    insert_rejects,
    look_up,
    rank_within,
    record_ids,
)
from tamis.sources.source import Lines, text_or_none

# DuckDB packs rows in groups of this size; other batches would make it pack them twice.
BATCH_ROWS = 122_880
# Long lines make smaller batches.
BATCH_BYTES = 96 << 20
# What a line costs beside its text: views, ids, numbers.
LINE_BYTES = 64
# How much is written before DuckDB gives its pages back: fresh ones cost time.
RELEASE_BYTES = 192 << 20
NOBODY = -1
MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass
class Reading:
    """One file while it is read.

    Attributes:
        origin: its path as text.
        modified_us: when it was modified, microseconds since 1970.
        container: of lines that name no session themselves.
        is_tail: whether reading began behind what an earlier landing read.
        records, new_records, rejects: counts so far; rejects are the new ones.
        needs_start: whether a line of the tail repeats an earlier one, so that only the whole
            file tells its ordinal; what this reading gives is dropped from then on.
        cwds: the working folders its lines name.
    """

    origin: str
    modified_us: int
    container: str
    is_tail: bool = False
    records: int = 0
    new_records: int = 0
    rejects: int = 0
    needs_start: bool = False
    cwds: set[str] = field(default_factory=set)


class Intake:
    """Takes the lines or rows of one source entity and appends what is new to its raw table.

    Identity is settled on narrow columns. A line whose container occurs in this file only and
    whose hash occurs once in it is new with ordinal 0; the others are suspects, and only they
    are hashed, numbered and looked up before they are inserted.
    """

    def __init__(self, store: Store, entity: str, recipe: Lines | None) -> None:
        """Args: where it goes, the entity, and the recipe of line files (None for rows)."""
        self.store = store
        self.entity = entity
        self.recipe = recipe
        self.writer = ThreadPoolExecutor(max_workers=1)
        self.writing: Future[None] | None = None
        self.readings: list[Reading] = []
        self.texts: list[pa.Array] = []
        self.containers: list[pa.Array] = []
        self.positions: list[np.ndarray] = []
        self.numbers: list[np.ndarray] = []
        self.refused: list[tuple[Reading, Refused]] = []
        self.rows = self.bytes = self.written = 0
        # Sorted keys of the lines that the file read last gave to earlier batches.
        self.earlier: tuple[int, list[np.ndarray]] = (NOBODY, [])
        # The containers of rows are as many as rows: there only emptiness is worth knowing.
        wanted = "distinct container" if recipe else "1"
        limit = "" if recipe else " limit 1"
        rows = store.connection.execute(
            f"select {wanted} from {store.known(entity)}{limit}"
        ).fetchall()
        self.was_empty = not rows
        self.owners: dict[str, int] = {row[0]: NOBODY for row in rows} if recipe else {}

    def begin(self, reading: Reading) -> None:
        """Start a file; what is given from now on is its own."""
        self.readings.append(reading)

    def add(
        self, text: pa.Array, positions: np.ndarray, containers: pa.Array | None = None
    ) -> None:
        """Take lines (string_view array) of the file begun last, in its order.

        Rows of a table bring their containers (string array) and are valid JSON.
        """
        if self.readings[-1].needs_start:
            return
        while len(text):
            count = min(len(text), BATCH_ROWS - self.rows)
            self.texts.append(text[:count])
            self.positions.append(positions[:count])
            self.numbers.append(np.full(count, len(self.readings) - 1, np.int32))
            if containers is not None:
                self.containers.append(containers[:count])
                containers = containers[count:]
            self.rows += count
            self.bytes += text_bytes(text[:count]) + LINE_BYTES * count
            text, positions = text[count:], positions[count:]
            if self.rows >= BATCH_ROWS or self.bytes >= BATCH_BYTES:
                self.give()

    def refuse(self, refused: Refused) -> None:
        """Take a line of the file begun last that is no record."""
        self.refused.append((self.readings[-1], refused))

    def flush(self) -> None:
        """Write what was taken; every statement commits, so rows never pile up in memory."""
        self.give()
        self.wait()

    def close(self) -> None:
        """End the writing thread, even after trouble; what was not flushed is lost."""
        self.writer.shutdown()

    def wait(self) -> None:
        """Let the batch before be written: only then it can be looked up."""
        if self.writing:
            writing, self.writing = self.writing, None
            writing.result()
            if self.written >= RELEASE_BYTES:
                self.written = 0
                self.store.release()

    def give(self) -> None:
        """Settle the lines taken so far and hand the new ones to the writer."""
        if self.texts:
            payload = pa.chunked_array(self.texts)
            numbers, positions = np.concatenate(self.numbers), np.concatenate(self.positions)
            if self.recipe is None:
                names = pa.concat_arrays(self.containers)
                self.write(Batch(payload, numbers, positions, names), None)
            else:
                named, hashes, is_valid = self.examine(self.recipe, payload, numbers, positions)
                first = pa.array([reading.container for reading in self.readings], pa.string())
                names = pc.coalesce(named, first.take(pa.array(numbers))).dictionary_encode()
                batch = Batch(payload, numbers, positions, names)
                if not is_valid.all():
                    batch, hashes = batch.only(is_valid), hashes[is_valid]
                self.write(batch, hashes)
        self.texts, self.positions, self.numbers, self.containers = [], [], [], []
        self.rows = self.bytes = 0
        if self.refused:
            self.write_refused()

    def examine(
        self, recipe: Lines, payload: pa.ChunkedArray, numbers: np.ndarray, positions: np.ndarray
    ) -> tuple[pa.Array, np.ndarray, np.ndarray]:
        """Session id (null where a line names none), 64-bit hash and validity of each line."""
        paths = [path for path in (recipe.session_path, recipe.cwd_path) if path] or ["$.type"]
        self.store.connection.register("lines", pa.table({"payload": payload}))
        # One parse gives validity and values: malformed text raises, which `try` turns to null.
        found = self.store.connection.execute(
            f"select try(json_extract_string(payload, {paths})) as found, hash(payload) as key"
            " from lines"
        ).to_arrow_table()
        self.store.connection.unregister("lines")
        lists = found["found"].combine_chunks()
        is_valid = lists.is_valid().to_numpy(zero_copy_only=False).copy()
        named = pa.nulls(len(lists), pa.string())
        if recipe.session_path:
            named = pc.list_element(lists, 0)
            named = pc.if_else(pc.equal(named, ""), None, named)
        if recipe.cwd_path:
            self.note_cwds(pc.list_element(lists, len(paths) - 1), numbers)
        odd = np.flatnonzero(~is_valid).tolist()
        if odd:
            sessions = named.to_pylist()
            for row in odd:
                line = payload[row].as_py(), int(positions[row])
                value = self.read_odd(self.readings[numbers[row]], *line)
                is_valid[row] = value is not None
                if isinstance(value, dict) and recipe.session_path:
                    sessions[row] = recipe.session_of(value)
            named = pa.array(sessions, pa.string())
        return named, found["key"].to_numpy(), is_valid

    def read_odd(self, reading: Reading, text: str, position: int) -> object | None:
        """The value of a line that DuckDB calls malformed; None when it is refused or blank."""
        try:
            value = parse(text)
        except ValueError:
            if text.strip():
                line = Refused(position, "unparsable JSON", text.encode())
                self.refused.append((reading, line))
            return None
        path = self.recipe.cwd_path if self.recipe else None
        if path and (cwd := text_or_none(value_at(value, path))):
            reading.cwds.add(cwd)
        return value if value is not None else False

    def note_cwds(self, cwds: pa.Array, numbers: np.ndarray) -> None:
        """Remember which folders the files of this batch name."""
        encoded = cwds.dictionary_encode()
        codes = encoded.indices.fill_null(NOBODY).to_numpy()
        folders = encoded.dictionary.to_pylist()
        for code, number in distinct_pairs(codes, numbers):
            if code != NOBODY and folders[code]:
                self.readings[number].cwds.add(folders[code])

    def write(self, batch: Batch, hashes: np.ndarray | None) -> None:
        """Settle identity and append what is new."""
        gone = np.array([reading.needs_start for reading in self.readings], bool)
        keys = None if hashes is None else self.keys(batch, hashes)
        is_suspect = self.suspects(batch, keys)
        ordinals = np.zeros(len(batch), np.int64)
        is_new = ~is_suspect
        if is_suspect.any():
            is_new[is_suspect] = self.settle(batch, keys, is_suspect, ordinals, gone)
        is_kept = ~gone[batch.numbers]
        is_new &= is_kept
        for reading, records, new_records in zip(
            self.readings,
            np.bincount(batch.numbers[is_kept], minlength=len(self.readings)).tolist(),
            np.bincount(batch.numbers[is_new], minlength=len(self.readings)).tolist(),
            strict=True,
        ):
            reading.records += records
            reading.new_records += new_records
        if is_new.any():
            new, new_ordinals = (
                (batch, ordinals) if is_new.all() else (batch.only(is_new), ordinals[is_new])
            )
            ids = record_ids(self.store, self.entity, new, new_ordinals)
            self.wait()
            self.written += new.payload.nbytes
            # Packing rows takes as long as all the rest, so it goes on beside the next batch.
            self.writing = self.writer.submit(
                insert, self.store, self.entity, new, ids, self.files()
            )
        if keys is not None and len(batch):
            self.remember(batch, keys)

    def files(self) -> Origins:
        """The files read so far."""
        modified = np.array([reading.modified_us for reading in self.readings], np.int64)
        return Origins([reading.origin for reading in self.readings], modified)

    def keys(self, batch: Batch, hashes: np.ndarray) -> np.ndarray:
        """A 64-bit key that is equal for equal payloads of one container in one file."""
        numbers = batch.numbers.astype(np.uint64)
        return hashes ^ (batch.container_hashes() * MIX) ^ ((numbers + np.uint64(1)) * MIX)

    def suspects(self, batch: Batch, keys: np.ndarray | None) -> np.ndarray:
        """Which lines may be in raw already, or more than once in their file."""
        if keys is None:
            return np.full(len(batch), not self.was_empty or len(self.readings) > 1)
        names = batch.containers.dictionary.to_pylist()
        codes = batch.containers.indices.to_numpy()
        is_shared = np.zeros(len(names), bool)
        pairs = distinct_pairs(codes, batch.numbers)
        for code, number in pairs:
            if self.owners.setdefault(names[code], number) != number:
                self.owners[names[code]] = NOBODY
                is_shared[code] = True
        is_tail = np.array([reading.is_tail for reading in self.readings], bool)
        marked = is_shared[codes] | is_tail[batch.numbers]
        ordered = np.sort(keys)
        repeated = ordered[1:][ordered[1:] == ordered[:-1]]
        if len(repeated):
            marked |= np.isin(keys, repeated)
        return marked | (self.count_earlier(batch, keys) > 0)

    def count_earlier(self, batch: Batch, keys: np.ndarray) -> np.ndarray:
        """How often each line occurred in earlier batches of its file."""
        number, earlier = self.earlier
        counts = np.zeros(len(batch), np.int64)
        mine = np.flatnonzero(batch.numbers == number)
        # In order, so that neighbours are looked for in the same pages.
        mine = mine[np.argsort(keys[mine])]
        wanted = keys[mine]
        for sorted_keys in earlier if len(mine) else []:
            first = np.searchsorted(sorted_keys, wanted)
            met = np.flatnonzero(sorted_keys[np.minimum(first, len(sorted_keys) - 1)] == wanted)
            after = np.searchsorted(sorted_keys, wanted[met], "right")
            counts[mine[met]] += after - first[met]
        return counts

    def remember(self, batch: Batch, keys: np.ndarray) -> None:
        """Keep the keys of the last file, which may go on in the next batch."""
        last = int(batch.numbers[-1])
        number, earlier = self.earlier
        earlier = [*(earlier if number == last else []), np.sort(keys[batch.numbers == last])]
        # Arrays that double in size: few to search in, and few sorted again.
        while len(earlier) > 1 and len(earlier[-2]) <= 2 * len(earlier[-1]):
            earlier[-2:] = [np.sort(np.concatenate(earlier[-2:]))]
        self.earlier = (last, earlier)

    def settle(
        self,
        batch: Batch,
        keys: np.ndarray | None,
        chosen: np.ndarray,
        ordinals: np.ndarray,
        gone: np.ndarray,
    ) -> np.ndarray:
        """Number repeats in `ordinals`, mark readings to begin again in `gone`.

        Returns:
            Which of the chosen lines are new.
        """
        some = batch if chosen.all() else batch.only(chosen)
        ids = record_ids(self.store, self.entity, some, ordinals[chosen])
        if keys is not None:
            codes = ids.dictionary_encode().indices.to_numpy().astype(np.int64)
            ranks = rank_within(codes * len(self.readings) + some.numbers)
            ordinals[chosen] = ranks + self.count_earlier(batch, keys)[chosen]
            if ordinals.any():
                ids = record_ids(self.store, self.entity, some, ordinals[chosen])
        self.wait()
        sighted = look_up(self.store, self.entity, some, ids, self.files())
        is_first = ordinals[chosen] == 0
        repeats = is_first & sighted.is_known & ~sighted.is_same_line
        for number in np.unique(some.numbers[repeats]).tolist():
            if self.readings[number].is_tail:
                self.readings[number].needs_start = True
                gone[number] = True
        is_new = ~sighted.is_known & ~gone[some.numbers]
        codes = ids.dictionary_encode().indices.to_numpy()
        candidates = np.flatnonzero(is_new)
        _, firsts = np.unique(codes[candidates], return_index=True)
        is_new[:] = False
        is_new[candidates[firsts]] = True
        return is_new

    def write_refused(self) -> None:
        """Append the refused lines."""
        rows = [
            (reading.origin, reading.container, reading.modified_us, line)
            for reading, line in self.refused
        ]
        self.refused = []
        by_origin = {reading.origin: reading for reading in self.readings}
        for origin in insert_rejects(self.store, self.entity, rows):
            by_origin[origin].rejects += 1


def value_at(value: object, path: str) -> object:
    """What stands at a JSON path of plain names, such as "$.payload.cwd"; None where nothing."""
    for name in path.removeprefix("$.").split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def distinct_pairs(codes: np.ndarray, numbers: np.ndarray) -> list[tuple[int, int]]:
    """The different (code, number) pairs, in order; equal neighbours are the rule."""
    changes = (codes[1:] != codes[:-1]) | (numbers[1:] != numbers[:-1])
    starts = np.flatnonzero(np.r_[True, changes])[: len(codes)]
    pairs = np.unique(np.c_[codes[starts], numbers[starts]].astype(np.int64), axis=0)
    return [(code, number) for code, number in pairs.tolist()]
