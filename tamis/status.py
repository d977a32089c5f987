"""Tell how a home is: silent when all is well, one line for everything that is not."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis import state
from tamis.errors import Busy, TamisError
from tamis.home import load_settings, project_dir
from tamis.publish import current_build_id, published_folder
from tamis.rules.own import own_version
from tamis.sources import SOURCES
from tamis.warehouse import as_dicts, connect, warehouse_path

if TYPE_CHECKING:
    from tamis.discovery import SourceFound

PARTS = ("tamis", "duckdb", "dbt-core", "dbt-duckdb", "great-expectations", "polars", "marimo")


@dataclass(frozen=True)
class Status:
    """How a home is.

    Attributes:
        home: the folder.
        build_id: the published build, None before the first.
        last_landing: the newest row of the ledger, None before the first.
        troubles: what a person should look at, one line each; empty when all is well.
        counts: rejects, torn lines, failed and skipped files as the ledger knows them.
        last_build_failed: whether the newest build did not pass a gate.
        stale: when each source that is in use last brought a record, of those that have brought
            none for the days of `stale_after_days`.
    """

    home: Path
    build_id: str | None
    last_landing: dict[str, Any] | None
    troubles: tuple[str, ...]
    counts: dict[str, int]
    last_build_failed: bool = False
    stale: dict[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagnosis:
    """A status, and what a doctor adds to it.

    Attributes:
        status: the status.
        versions: installed version by part.
        found: what there is of every source, landed or not.
        sources: one mapping per raw table: source_entity, records, rejects, and of the records
            those of kinds that hold no events.
        unknown_kinds: one mapping per kind of record that no model reads: source_entity,
            record_kind, record_count.
        rejects: one mapping per file and reason: origin, reason, rejects.
        skipped: one mapping per file that no source took: path, reason.
        failed: one mapping per file that could not be read, now or when it was last tried: path,
            error.
        remedies: what to do about the troubles, one line each.
    """

    status: Status
    versions: dict[str, str]
    found: "tuple[SourceFound, ...]" = ()
    sources: tuple[dict[str, Any], ...] = ()
    unknown_kinds: tuple[dict[str, Any], ...] = ()
    rejects: tuple[dict[str, Any], ...] = ()
    skipped: tuple[dict[str, Any], ...] = ()
    failed: tuple[dict[str, Any], ...] = ()
    remedies: tuple[str, ...] = field(default=())


def status(home: Path, now: datetime) -> Status:
    """How a home is at a time (naive UTC), by its ledger and its published build.

    The warehouse is not opened, so nobody who holds it is in the way.

    Raises:
        TamisError: exit 3 where there is no home; exit 2 where its settings are broken.
    """
    if not home.is_dir():
        raise TamisError(f"there is no home at {home}: run `tamis land` or `tamis run` first")
    days = load_settings(home).stale_after_days
    with state.open_state(home) as ledger:
        stale = stale_sources(state.newest_records(ledger), now - timedelta(days=days))
        landings = state.landings(ledger, limit=1)
        builds = state.builds(ledger, limit=1)
        sightings = state.last_sightings(ledger)
        counts = {
            "rejects": _sum(ledger, "select sum(rejects) from landings"),
            "torn": sum(sighting["torn"] or 0 for sighting in sightings),
            "failed": sum(sighting["error"] is not None for sighting in sightings),
            "skipped": _sum(ledger, "select count(*) from skipped"),
        }
    troubles = []
    if landings and landings[0]["state"] in ("interrupted", "failed"):
        troubles.append(f"the last landing was {landings[0]['state']}: run `tamis land` again")
    if counts["rejects"]:
        troubles.append(f"{counts['rejects']} lines could not be read: `tamis doctor` names them")
    if counts["torn"]:
        troubles.append(f"torn last lines that wait for their rest: {counts['torn']}")
    if counts["failed"]:
        troubles.append(f"{counts['failed']} files could not be read: `tamis doctor` names them")
    if stale:
        named = ", ".join(f"{name} (since {moment:%Y-%m-%d})" for name, moment in stale.items())
        troubles.append(f"nothing new for more than {days} days: {named}")
    if builds and builds[0]["state"] == "failed":
        troubles.append(builds[0]["failed_gate"] or "the last build was stopped: run `tamis run`")
    build_id = current_build_id(home)
    if build_id and not (published_folder(home) / build_id).is_dir():
        troubles.append(f"the published build {build_id} is gone: run `tamis run` again")
    try:
        own_version(home)
    except TamisError as error:
        troubles.append(str(error))
    if landings and build_id is None:
        troubles.append("nothing is published yet: run `tamis run`")
    return Status(
        home,
        build_id,
        landings[0] if landings else None,
        tuple(troubles),
        counts,
        bool(builds) and builds[0]["state"] == "failed",
        stale,
    )


def stale_sources(newest: Mapping[str, datetime], oldest: datetime) -> dict[str, datetime]:
    """The sources whose newest record of any entity landed before a time, with when it did."""
    by_source = {
        source.name: max(newest[entity] for entity in source.entities if entity in newest)
        for source in SOURCES
        if any(entity in newest for entity in source.entities)
    }
    # Git is asked about a folder once: nothing comes after that.
    by_source.pop("git", None)
    return {name: moment for name, moment in by_source.items() if moment < oldest}


def diagnose(home: Path, now: datetime, environ: Mapping[str, str], cwd: Path) -> Diagnosis:
    """A status with the reasons, and what there is to land; no home is needed for the latter.

    Args:
        home: the home folder.
        now: the time, naive UTC.
        environ: the environment, for the usual places of captures.
        cwd: the working folder, where a workspace's captures are searched from.
    """
    from tamis.discovery import discover

    versions = {part: _version(part) for part in PARTS} | {"python": platform.python_version()}
    is_there = home.is_dir()
    found = status(home, now) if is_there else Status(home, None, None, (), {})
    with state.open_state(home, read_only=not is_there) as ledger:
        discovery = discover(home, ledger, environ, cwd)
        skipped = {row["path"]: row["reason"] for row in state.skipped(ledger)}
        failed = {row["path"]: row["error"] for row in state.last_sightings(ledger) if row["error"]}
        known = state.file_states(ledger, None)
    skipped = {path: skipped[path] for path in skipped if path not in known}
    skipped |= dict(discovery.skipped)
    failed |= dict(discovery.failed)
    remedies = [
        "compare the rejected lines with the file: a torn or damaged line never lands, its "
        "neighbours do"
    ] * bool(found.counts.get("rejects"))
    try:
        sources, rejects, unknown, early = _landed(home)
    except Busy as error:
        sources, rejects, unknown, early = [], [], [], 0
        remedies.append(f"what landed can't be counted now: {error}")
    if unknown:
        remedies.append(
            f"{sum(row['record_count'] for row in unknown)} records are of kinds that no model "
            "reads: they are kept in raw until one does"
        )
    if early:
        remedies.append(
            f"{early} events are stamped before what they answer: they are ordered behind it, and "
            "keep their own time"
        )
    return Diagnosis(
        found,
        versions,
        discovery.sources,
        tuple(sources),
        tuple(unknown),
        tuple(rejects),
        tuple({"path": path, "reason": skipped[path]} for path in sorted(skipped)),
        tuple({"path": path, "error": failed[path]} for path in sorted(failed)),
        tuple(remedies),
    )


Rows = list[dict[str, Any]]


def _landed(home: Path) -> tuple[Rows, Rows, Rows, int]:
    """What the warehouse holds: records by raw table, rejects by file, kinds that nobody reads,
    and how many events were stamped before what they answer."""
    if not warehouse_path(home).exists():
        return [], [], [], 0
    connection = connect(home, read_only=True)
    try:
        tables = _dicts(
            connection,
            "select table_name from duckdb_tables() where schema_name = 'raw'"
            " and table_name not in ('rejects', 'warehouse') order by 1",
        )
        sources = [
            _dicts(
                connection,
                f"select '{row['table_name']}' as source_entity, count(*) as records,"
                f" (select count(*) from raw.rejects where source_entity = '{row['table_name']}')"
                f" as rejects from raw.{row['table_name']}",
            )[0]
            for row in tables
        ]
        without_events = _without_events(connection)
        for row in sources:
            row["without_events"] = without_events.get(row["source_entity"], 0)
        rejects = _dicts(
            connection,
            "select origin, reason, count(*) as rejects from raw.rejects group by all order by all",
        )
        counted = _built(
            connection, "int_events_ordered", "select count(*) as events", "where is_early"
        )
        early = counted[0]["events"] if counted else 0
        return sources, rejects, _unknown_kinds(connection), early
    finally:
        connection.close()


def _unknown_kinds(connection: Any) -> Rows:
    """The kinds of records that no model reads, where a build has counted them."""
    columns = "select source_entity, record_kind, record_count"
    return _built(
        connection, "int_record_kinds_counted", columns, "where not is_known order by all"
    )


def _without_events(connection: Any) -> dict[str, int]:
    """How many records of each raw table are of kinds that hold no events, as a build counted."""
    columns = "select source_entity, sum(record_count)::bigint as records"
    which = "where is_known and not has_events group by all"
    counted = _built(connection, "int_record_kinds_counted", columns, which, needs="has_events")
    return {row["source_entity"]: row["records"] for row in counted}


def _built(connection: Any, model: str, columns: str, which: str, needs: str = "") -> Rows:
    """Rows of an intermediate model; none where no build has made it, or its column, yet."""
    made = f"select 1 from duckdb_columns() where table_name = '{model}'"
    made += f" and column_name = '{needs}'" * bool(needs)
    if not _dicts(connection, made):
        return []
    return _dicts(connection, f"{columns} from intermediate.{model} {which}")


def _dicts(connection: Any, query: str) -> list[dict[str, Any]]:
    return as_dicts(connection.execute(query))


def _sum(ledger: Any, query: str) -> int:
    return int(ledger.execute(query).fetchone()[0] or 0)


def _version(part: str) -> str:
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return f"not installed (running from {project_dir()})"
