"""Tell how a home is: silent when all is well, one line for everything that is not."""

import platform
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from tamis import state
from tamis.errors import TamisError
from tamis.home import project_dir
from tamis.publish import current_build_id, published_folder
from tamis.warehouse import as_dicts, connect, warehouse_path

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
    """

    home: Path
    build_id: str | None
    last_landing: dict[str, Any] | None
    troubles: tuple[str, ...]
    counts: dict[str, int]
    last_build_failed: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """A status, and what a doctor adds to it.

    Attributes:
        status: the status.
        versions: installed version by part.
        sources: one mapping per raw table: source_entity, records, rejects.
        unknown_kinds: one mapping per kind of record that no model reads: source_entity,
            record_kind, record_count.
        rejects: one mapping per file and reason: origin, reason, rejects.
        skipped: one mapping per file that no source took: path, reason.
        failed: one mapping per file that could not be read in the last landing: path, error.
        remedies: what to do about the troubles, one line each.
    """

    status: Status
    versions: dict[str, str]
    sources: tuple[dict[str, Any], ...] = ()
    unknown_kinds: tuple[dict[str, Any], ...] = ()
    rejects: tuple[dict[str, Any], ...] = ()
    skipped: tuple[dict[str, Any], ...] = ()
    failed: tuple[dict[str, Any], ...] = ()
    remedies: tuple[str, ...] = field(default=())


def status(home: Path) -> Status:
    """How a home is, by its ledger and its published build; opens no warehouse.

    Raises:
        TamisError: exit 3 where there is no home.
    """
    if not home.is_dir():
        raise TamisError(f"there is no home at {home}: run `tamis land` or `tamis run` first")
    with state.open_state(home) as ledger:
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
    if builds and builds[0]["state"] == "failed":
        troubles.append(builds[0]["failed_gate"] or "the last build was stopped: run `tamis run`")
    build_id = current_build_id(home)
    if build_id and not (published_folder(home) / build_id).is_dir():
        troubles.append(f"the published build {build_id} is gone: run `tamis run` again")
    if landings and build_id is None:
        troubles.append("nothing is published yet: run `tamis run`")
    return Status(
        home,
        build_id,
        landings[0] if landings else None,
        tuple(troubles),
        counts,
        bool(builds) and builds[0]["state"] == "failed",
    )


def diagnose(home: Path) -> Diagnosis:
    """A status with the reasons: versions, records, unknown kinds, rejects, unread files."""
    versions = {part: _version(part) for part in PARTS} | {"python": platform.python_version()}
    found = status(home)
    with state.open_state(home) as ledger:
        skipped = state.skipped(ledger)
        failed = [row for row in state.last_sightings(ledger) if row["error"]]
    remedies = [
        "compare the rejected lines with the file: a torn or damaged line never lands, its "
        "neighbours do"
    ] * bool(found.counts["rejects"])
    if not warehouse_path(home).exists():
        return Diagnosis(found, versions, remedies=tuple(remedies))
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
        rejects = _dicts(
            connection,
            "select origin, reason, count(*) as rejects from raw.rejects group by all order by all",
        )
        unknown = _unknown_kinds(connection)
    finally:
        connection.close()
    if unknown:
        remedies.append(
            f"{sum(row['record_count'] for row in unknown)} records are of kinds that no model "
            "reads: they are kept in raw until one does"
        )
    return Diagnosis(
        found,
        versions,
        tuple(sources),
        tuple(unknown),
        tuple(rejects),
        tuple({"path": row["path"], "reason": row["reason"]} for row in skipped),
        tuple({"path": row["path"], "error": row["error"]} for row in failed),
        tuple(remedies),
    )


def _unknown_kinds(connection: Any) -> list[dict[str, Any]]:
    """The kinds of records that no model reads, where a build has counted them."""
    built = _dicts(
        connection,
        "select 1 from duckdb_tables() where table_name = 'int_record_kinds_counted'",
    )
    if not built:
        return []
    return _dicts(
        connection,
        "select source_entity, record_kind, record_count"
        " from intermediate.int_record_kinds_counted where not is_known order by all",
    )


def _dicts(connection: Any, query: str) -> list[dict[str, Any]]:
    return as_dicts(connection.execute(query))


def _sum(ledger: Any, query: str) -> int:
    return int(ledger.execute(query).fetchone()[0] or 0)


def _version(part: str) -> str:
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        return f"not installed (running from {project_dir()})"
