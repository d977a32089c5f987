"""Landing: every capture that is found goes into raw, once, and the ledger says what happened."""

import os
import shutil
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection as Ledger

import duckdb

from tamis.errors import TamisError
from tamis.home import absolute
from tamis.landing.account import Landing
from tamis.landing.find import (
    Finds,
    Found,
    chosen_feeds,
    chosen_sources,
    default_roots,
    find,
    is_address,
    origin_text,
)
from tamis.landing.read_lines import read_line_files
from tamis.landing.read_rows import public_address, read_feed, read_whole_files
from tamis.landing.records import Store
from tamis.moments import naive_utc
from tamis.progress import Progress
from tamis.sources import source_entities
from tamis.sources.source import Feed, Lines
from tamis.state import (
    file_states,
    finish_landing,
    heal,
    open_state,
    save_places,
    save_skipped,
    start_landing,
    transaction,
)
from tamis.warehouse import connect, ensure_raw, refusal, warehouse_id, warehouse_path, writer


@dataclass(frozen=True)
class EntityCount:
    """What one landing did for one source entity.

    Attributes:
        source_entity: such as "claude_code__entries".
        files: files found; unchanged: how many of them were not opened.
        records: records read; new_records: how many of them were not in raw.
        rejects: refused lines that were not in raw.rejects.
    """

    source_entity: str
    files: int = 0
    unchanged: int = 0
    records: int = 0
    new_records: int = 0
    rejects: int = 0


@dataclass(frozen=True)
class LandingReport:
    """What one landing did.

    Attributes:
        landing_id: its key in the ledger.
        entities: counts per source entity that was found.
        torn: last lines that wait for their newline.
        skipped: (path, reason) of files that no source takes.
        failed: (path, reason) of files that could not be read, or not to their end.
        bytes: bytes read.
        seconds: how long it took.
        dry_run: whether nothing was written.
    """

    landing_id: str
    entities: tuple[EntityCount, ...]
    torn: int
    skipped: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...]
    bytes: int
    seconds: float
    dry_run: bool = False

    @property
    def records(self) -> int:
        """Records read, over all entities."""
        return sum(entity.records for entity in self.entities)

    @property
    def new_records(self) -> int:
        """Records added, over all entities."""
        return sum(entity.new_records for entity in self.entities)

    @property
    def rejects(self) -> int:
        """Refused lines added, over all entities."""
        return sum(entity.rejects for entity in self.entities)

    @property
    def files(self) -> int:
        """Files found that a source takes."""
        return sum(entity.files for entity in self.entities)


def land(
    home: Path,
    *,
    roots: Sequence[Path | str] | None = None,
    sources: Sequence[str] | None = None,
    environ: Mapping[str, str],
    cwd: Path,
    now: datetime,
    progress: Progress | None = None,
    dry_run: bool = False,
    changed: Collection[Path] | None = None,
) -> LandingReport:
    """Land what is found, or what is at the given paths.

    Args:
        home: the home folder; created where missing.
        roots: files, folders and addresses of services, whose kind is detected; None for the
            sources' usual places.
        sources: names of the sources to read; None for all.
        environ: the environment, for the usual places and for git.
        cwd: the working folder, where a workspace's mind is searched from.
        now: the time of the landing (aware, or naive UTC).
        progress: called with bytes read and bytes to read.
        dry_run: count everything and write nothing.
        changed: look at these paths alone, and at none that is gone meanwhile; services are
            not asked.

    Raises:
        TamisError: exit 2 for an unknown source; exit 3 for a missing path, another writer, or
            a warehouse that can't be opened or written.
    """
    begun = time.monotonic()
    chosen = chosen_sources(sources)
    feeds = chosen_feeds(chosen, environ, roots) if changed is None else []
    given = given_paths(roots or (), environ)
    paths = given if roots is not None else default_roots(chosen, environ, cwd)
    if changed is not None:
        paths = [path for path in changed if os.path.lexists(path)]
    moment = naive_utc(now)
    with nullcontext() if dry_run else writer(home), open_state(home, read_only=dry_run) as ledger:
        if not dry_run:
            heal(ledger, all_running=True)
            remove_scratch(home)
        identity = identify(home, moment, dry_run)
        known = file_states(ledger, identity) if identity else {}
        finds = find(paths, chosen, known, home=home, missing_ok=changed is not None)
        landing_id = free_id(ledger, moment)
        if not dry_run and roots is not None:
            named = [origin_text(path) for path in given if os.path.lexists(path)]
            named += [public_address(address) for _, address in feeds]
            save_places(ledger, landing_id, named)
        landing = Landing(
            landing_id=landing_id,
            ledger=ledger,
            warehouse_id=identity or "",
            known=known,
            scratch=home if home.is_dir() and not dry_run else None,
            total_bytes=sum(found.observed.size for found in finds.files),
            progress=progress,
            dry_run=dry_run,
            environ=environ,
            asks_git=any(source.name == "git" for source in chosen),
        )
        with ledger_entry(landing, moment, begun, finds):
            if finds.files or feeds:
                take(home, landing, finds, feeds, moment)
        return report(landing, finds, begun)


def given_paths(roots: Sequence[Path | str], environ: Mapping[str, str]) -> list[Path]:
    """The absolute paths among what a landing is given; the others are addresses."""
    return [absolute(Path(root), environ) for root in roots if not is_address(root)]


def identify(home: Path, now: datetime, dry_run: bool) -> str | None:
    """The id of the home's warehouse, which is created unless this is a dry run."""
    if dry_run and not warehouse_path(home).exists():
        return None
    connection = connect(home, read_only=dry_run)
    try:
        return warehouse_id(connection) if dry_run else ensure_raw(connection, now)
    finally:
        connection.close()


def free_id(ledger: Ledger, now: datetime) -> str:
    """An id for a landing, from its time and the process: ids sort by time."""
    wanted = f"{now:%Y%m%dT%H%M%S.%fZ}-{os.getpid()}"
    taken = {
        row[0]
        for row in ledger.execute(
            "select landing_id from landings where landing_id >= ? and landing_id < ?",
            (wanted, wanted + "~"),
        )
    }
    return wanted if not taken else f"{wanted}-{len(taken) + 1}"


@contextmanager
def ledger_entry(landing: Landing, now: datetime, begun: float, finds: Finds) -> Iterator[None]:
    """The landing's row in the ledger: running inside, then done or failed."""
    if landing.dry_run:
        yield
        return
    start_landing(landing.ledger, landing.landing_id, now, os.getpid())
    state, error = "failed", None
    try:
        yield
        state = "done"
    except Exception as problem:
        error = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise
    finally:
        seconds = time.monotonic() - begun
        sighted = landing.tallies
        with transaction(landing.ledger):
            save_skipped(landing.ledger, landing.landing_id, finds.skipped)
            finish_landing(
                landing.ledger,
                landing.landing_id,
                now,
                state,
                {
                    "files": sum(tally.files for tally in sighted.values()),
                    "records": sum(tally.records for tally in sighted.values()),
                    "new_records": sum(tally.new_records for tally in sighted.values()),
                    "rejects": sum(tally.rejects for tally in sighted.values()),
                    "torn": landing.torn,
                    "bytes": landing.bytes,
                    "seconds": seconds,
                    "error": error,
                },
            )


def take(
    home: Path,
    landing: Landing,
    finds: Finds,
    feeds: Sequence[tuple[Feed, str]],
    now: datetime,
) -> None:
    """Read files and services into the warehouse: lines entity by entity, then the others."""
    lines: dict[str, list[tuple[Found, Lines]]] = {}
    for found in finds.files:
        if isinstance(found.recipe, Lines):
            lines.setdefault(found.recipe.entity, []).append((found, found.recipe))
    others = [found for found in finds.files if not isinstance(found.recipe, Lines)]
    with open_store(home, landing, now) as store:
        try:
            for entity in source_entities():
                read_line_files(store, landing, entity, lines.get(entity, []))
            read_whole_files(store, landing, others)
            for feed, address in feeds:
                read_feed(store, landing, feed, address)
        except duckdb.Error as error:
            reason = str(error).strip().splitlines()[0]
            raise TamisError(f"can't write to {warehouse_path(home)}: {reason}") from error


@contextmanager
def open_store(home: Path, landing: Landing, now: datetime) -> Iterator[Store]:
    """The warehouse; for a dry run an empty one beside what is kept."""
    if not landing.dry_run:
        connection = connect(home)
        try:
            # A batch is settled while the one before is written, so each gets one thread; two
            # threads on one INSERT would begin two row groups, which a checkpoint packs again.
            connection.execute("set threads = 1")
            yield Store(connection, landing.landing_id, now, memory_limit(connection))
        finally:
            connection.close()
        return
    connection = duckdb.connect()
    try:
        ensure_raw(connection, now)
        kept: frozenset[str] = frozenset()
        if warehouse_path(home).exists():
            place = str(warehouse_path(home)).replace("'", "''")
            try:
                connection.execute(f"attach '{place}' as kept (read_only)")
            except duckdb.Error as error:
                raise refusal(warehouse_path(home), str(error)) from error
            tables = connection.execute(
                "select table_name from duckdb_tables()"
                " where database_name = 'kept' and schema_name = 'raw'"
            ).fetchall()
            kept = frozenset(name for (name,) in tables)
        limit = memory_limit(connection)
        yield Store(connection, landing.landing_id, now, limit, dry_run=True, kept=kept)
    finally:
        connection.close()


def memory_limit(connection: duckdb.DuckDBPyConnection) -> str:
    """How much memory DuckDB may take, such as "12.5 GiB"."""
    limit: str = connection.execute("select current_setting('memory_limit')").fetchall()[0][0]
    return limit


def remove_scratch(home: Path) -> None:
    """Remove copies of databases that a killed landing left behind."""
    for folder in home.glob("landing-*"):
        shutil.rmtree(folder, ignore_errors=True)


def report(landing: Landing, finds: Finds, begun: float) -> LandingReport:
    """What was done, from the tallies."""
    unchanged = [file.source_entity for file in finds.unchanged]
    torn = landing.torn
    entities = []
    for entity in source_entities():
        tally = landing.tallies.get(entity)
        if tally is None and entity not in unchanged:
            continue
        entities.append(
            EntityCount(
                source_entity=entity,
                files=(tally.files if tally else 0) + unchanged.count(entity),
                unchanged=unchanged.count(entity),
                records=tally.records if tally else 0,
                new_records=tally.new_records if tally else 0,
                rejects=tally.rejects if tally else 0,
            )
        )
    return LandingReport(
        landing_id=landing.landing_id,
        entities=tuple(entities),
        torn=torn,
        skipped=tuple(sorted(finds.skipped)),
        failed=tuple(sorted([*finds.failed, *landing.failed])),
        bytes=landing.bytes,
        seconds=time.monotonic() - begun,
        dry_run=landing.dry_run,
    )
