"""Which lines are new records: ids, ordinals, and what is in raw already."""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import duckdb
import numpy as np
import pyarrow as pa

from tamis.landing.jsonl import Refused, keep_views
from tamis.sources.source import compact_json

CACHE_LIMIT = "64MB"
HEX_DIGITS = 64
# Few enough for their texts to stay in the cache.
HASHED_AT_ONCE = 2_048


@dataclass(frozen=True)
class Store:
    """Where records go.

    Attributes:
        connection: the warehouse; for a dry run an empty one in memory.
        landing_id, landed_at: written to every row; the time is naive UTC.
        memory_limit: DuckDB's own, as it tells it; asked again it would be a little less.
        dry_run: rows are counted and keep no payload.
        kept: for a dry run the raw tables of the catalog `kept`, which holds what has landed.
    """

    connection: duckdb.DuckDBPyConnection
    landing_id: str
    landed_at: datetime
    memory_limit: str
    dry_run: bool = False
    kept: frozenset[str] = frozenset()

    def known(self, table: str, *more: str) -> str:
        """SQL for the rows of a raw table that have landed, without the payload if not asked."""
        key = "reject_id" if table == "rejects" else "record_id"
        columns = ", ".join([key, "container", "origin", "position", "origin_modified_at", *more])
        own = f"select {columns} from raw.{table}"
        before = f" union all select {columns} from kept.raw.{table}" if table in self.kept else ""
        return f"({own}{before})"

    def landed(self) -> str:
        """SQL for the columns landed_at and landing_id.

        Bound parameters would do as well, but for them the driver imports pandas.
        """
        return f"timestamp '{self.landed_at.isoformat(' ')}', '{self.landing_id}'"

    def release(self) -> None:
        """Drop the pages that DuckDB caches: written ones are not read again in a landing.

        A low limit throughout would do the same, until a checkpoint meets a row group of long
        lines that does not fit and fails for good.
        """
        with suppress(duckdb.OutOfMemoryException):
            self.connection.execute(f"set memory_limit = '{CACHE_LIMIT}'")
        self.connection.execute(f"set memory_limit = '{self.memory_limit}'")


@dataclass(frozen=True)
class Batch:
    """Lines that are records, in the order of files and positions.

    Attributes:
        payload: chunked string_view array.
        numbers: int32 array, the number of each line's reading.
        positions: int64 array.
        containers: dictionary array; of rows, where each has its own, a string array.
    """

    payload: pa.ChunkedArray
    numbers: np.ndarray
    positions: np.ndarray
    containers: pa.Array

    def __len__(self) -> int:
        return len(self.numbers)

    def only(self, mask: np.ndarray) -> "Batch":
        """The lines where the mask is true."""
        ends = np.cumsum([len(chunk) for chunk in self.payload.chunks])[:-1]
        parts = np.split(mask, ends)
        chunks = [
            keep_views(chunk, part) for chunk, part in zip(self.payload.chunks, parts, strict=True)
        ]
        return Batch(
            pa.chunked_array(chunks, pa.string_view()),
            self.numbers[mask],
            self.positions[mask],
            self.containers.filter(pa.array(mask)),
        )

    def container_hashes(self) -> np.ndarray:
        """A 64-bit hash of each line's container, valid in this process."""
        names = self.containers.dictionary.to_pylist()
        hashes = np.array([hash(name) for name in names], np.int64).view(np.uint64)
        return hashes[self.containers.indices.to_numpy()]


@dataclass(frozen=True)
class Origins:
    """The files that readings stand for: paths as text, and int64 microseconds of mtime."""

    paths: list[str]
    modified_us: np.ndarray


def record_ids(store: Store, entity: str, batch: Batch, ordinals: np.ndarray) -> pa.Array:
    """The ids of lines, in their order.

    An id is the sha256 hex of the compact JSON array of entity, container, payload and ordinal.
    DuckDB writes the arrays; OpenSSL hashes them, in a third of the time that DuckDB would take.
    """
    rows = pa.table({"container": batch.containers, "payload": batch.payload, "ordinal": ordinals})
    store.connection.register("rows", rows)
    found = store.connection.execute(
        f"select json_array('{entity}', container, payload, ordinal)::varchar as parts from rows"
    ).to_arrow_reader(HASHED_AT_ONCE)
    digests = b"".join(
        hashlib.sha256(parts).digest()
        for some in found
        for parts in some.column(0).cast(pa.binary()).to_pylist()
    )
    store.connection.unregister("rows")
    offsets = np.arange(0, HEX_DIGITS * (len(batch) + 1), HEX_DIGITS, dtype=np.int32)
    text = digests.hex().encode()
    return pa.Array.from_buffers(
        pa.string(), len(batch), [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    )


def rank_within(groups: np.ndarray) -> np.ndarray:
    """How many earlier elements are equal, for each element of an array."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(ordered)])
    ranks = np.empty(len(groups), np.int64)
    ranks[order] = np.arange(len(ordered)) - np.repeat(starts, lengths)
    return ranks


@dataclass(frozen=True)
class Sighted:
    """What raw says of some lines, as masks: landed already, and landed as this very line."""

    is_known: np.ndarray
    is_same_line: np.ndarray


def look_up(store: Store, entity: str, batch: Batch, ids: pa.Array, files: Origins) -> Sighted:
    """Compare lines, by their ids, with what has landed.

    A landed record that is sighted in an earlier file, or earlier in its file, is an earlier
    sighting: (modified, path, position) is smaller.
    """
    sighted = pa.table({"number": np.arange(len(ids)), "record_id": ids, **places(batch, files)})
    store.connection.register("sighted", sighted)
    found = store.connection.execute(f"""
        select
            sighted.number,
            bool_or(sighted.origin = known.origin and sighted.position = known.position) as same,
            bool_or(
                (sighted.origin_modified_at, sighted.origin, sighted.position)
                < (known.origin_modified_at, known.origin, known.position)
            ) as earlier
        from sighted
        inner join {store.known(entity)} as known
            on sighted.record_id = known.record_id and sighted.container = known.container
        group by all
    """).to_arrow_table()
    if mask_of(found, "earlier", len(ids)).any() and not store.dry_run:
        lower(store, entity, "record_id")
    store.connection.unregister("sighted")
    known = np.zeros(len(ids), bool)
    known[found["number"].to_numpy()] = True
    return Sighted(known, mask_of(found, "same", len(ids)))


def places(batch: Batch, files: Origins) -> dict[str, object]:
    """The columns that say where lines come from."""
    return {
        "container": batch.containers,
        "origin": pa.DictionaryArray.from_arrays(pa.array(batch.numbers), pa.array(files.paths)),
        "position": batch.positions,
        "origin_modified_at": pa.array(files.modified_us[batch.numbers], pa.timestamp("us")),
    }


def mask_of(found: pa.Table, column: str, length: int) -> np.ndarray:
    """A mask over all lines from the found ones, by their numbers."""
    mask = np.zeros(length, bool)
    mask[found["number"].to_numpy()] = found[column].fill_null(False).to_numpy()
    return mask


def lower(store: Store, table: str, key: str) -> None:
    """Move landed rows to an earlier sighting, so that the order of landings changes nothing."""
    store.connection.execute(f"""
        update raw.{table} as landed
        set
            origin = first.origin,
            position = first.position,
            origin_modified_at = first.origin_modified_at
        from (
            select distinct on ({key}) {key}, origin, position, origin_modified_at
            from sighted
            order by {key}, origin_modified_at, origin, position
        ) as first
        where
            landed.{key} = first.{key}
            and (first.origin_modified_at, first.origin, first.position)
            < (landed.origin_modified_at, landed.origin, landed.position)
    """)


def insert(store: Store, entity: str, batch: Batch, ids: pa.Array, files: Origins) -> None:
    """Append new lines with their ids to the raw table of the entity; may run in a thread."""
    rows = pa.table({"record_id": ids, "payload": batch.payload, **places(batch, files)})
    with store.connection.cursor() as cursor:
        cursor.register("rows", rows)
        cursor.execute(f"""
            insert into raw.{entity}
            select
                record_id,
                container,
                origin,
                position,
                {"null" if store.dry_run else "payload"},
                origin_modified_at,
                {store.landed()}
            from rows
        """)


def insert_rejects(
    store: Store, entity: str, refused: list[tuple[str, str, int, Refused]]
) -> list[str]:
    """Append refused lines, each once.

    Args:
        store: where they go.
        entity: the source entity of the files.
        refused: path, container and mtime (microseconds) of the file, and the line.

    Returns:
        The paths of those that are new, one for each.
    """
    ids = [
        hashlib.sha256(
            compact_json([entity, container, line.position, line.data.hex()]).encode()
        ).hexdigest()
        for _, container, _, line in refused
    ]
    sighted = pa.table(
        {
            "reject_id": ids,
            "container": [container for _, container, _, _ in refused],
            "origin": [path for path, _, _, _ in refused],
            "position": pa.array([line.position for *_, line in refused], pa.int64()),
            "reason": [line.reason for *_, line in refused],
            "bytes": pa.array([line.data for *_, line in refused], pa.large_binary()),
            "origin_modified_at": pa.array(
                [modified for _, _, modified, _ in refused], pa.timestamp("us")
            ),
        }
    )
    store.connection.register("sighted", sighted)
    if not store.dry_run:
        lower(store, "rejects", "reject_id")
    added = store.connection.execute(
        f"""
        insert into raw.rejects
        select distinct on (reject_id)
            reject_id, '{entity}', container, origin, position, reason, bytes,
            origin_modified_at, {store.landed()}
        from sighted
        where reject_id not in (select reject_id from {store.known("rejects")})
        order by reject_id, origin_modified_at, origin, position
        returning origin
        """
    ).fetchall()
    store.connection.unregister("sighted")
    return [origin for (origin,) in added]
