"""Land, build, check, publish: each on its own, and all of them in one go."""

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tamis import build as building
from tamis import publish as publishing
from tamis import state, validate
from tamis.errors import ENVIRONMENT, GATE_FAILED, TamisError
from tamis.home import Settings, load_settings, prepare_home
from tamis.land import land
from tamis.progress import Progress
from tamis.rules.own import own_version
from tamis.warehouse import connect, ensure_raw, warehouse_id, writer


@dataclass(frozen=True)
class RunReport:
    """What a run did after landing: `published` is None where nothing had changed."""

    build_id: str
    changed: bool
    published: publishing.Published | None
    nodes: int
    expectations: int


def fingerprint(home: Path, settings: Settings) -> str:
    """The sha256 of all that a build depends on: captures, rules and settings.

    Raw tables only grow, so their counts say whether records came; the sums of positions say
    whether an earlier sighting of a known record did.

    Raises:
        TamisError: exit 2 where a rule of the user's own is wrong.
    """
    own = own_version(home)
    connection = connect(home)
    try:
        ensure_raw(connection)
        tables = connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'raw' order by 1"
        ).fetchall()
        captures = [warehouse_id(connection)]
        for (table,) in tables:
            position = "null" if table == "warehouse" else "sum(position)::varchar"
            row = connection.execute(f"select count(*), {position} from raw.{table}").fetchone()
            captures.append(json.dumps([table, *(row or ())]))
    finally:
        connection.close()
    parts = [captures, building.project_fingerprint(), settings.of_builds()]
    parts += [own] if own else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def build(
    home: Path,
    settings: Settings,
    *,
    now: datetime,
    mark: str | None = None,
    full_refresh: bool = False,
    progress: Progress | None = None,
) -> tuple[str, building.BuildReport]:
    """Build the models under a new build id; the caller holds the writer lock.

    The incremental models are built anew when the project changed since the last good build. No
    rule reaches them: the ladder takes off what systems wrote around a text, whatever judges it.

    Args:
        home: the home folder.
        settings: become dbt variables.
        now: when the build begins, naive UTC.
        mark: the fingerprint of what is built, where the caller has taken it already.
        full_refresh: build incremental models anew in any case.
        progress: shown how far the build is.

    Returns:
        The build id, and what dbt did.

    Raises:
        TamisError: exit 1 where a model or an invariant failed.
    """
    begun = time.monotonic()
    mark = mark or fingerprint(home, settings)
    build_id = f"{now:%Y%m%dT%H%M%S}-{mark[:8]}"
    project = building.project_fingerprint() + json.dumps(settings.of_builds())
    remembered = home / "dbt" / "project.sha256"
    digest = hashlib.sha256(project.encode()).hexdigest()
    known = remembered.read_text() if remembered.exists() else ""
    with state.open_state(home) as ledger:
        state.start_build(ledger, build_id, now, os.getpid(), mark)
        try:
            report = building.build(
                home,
                settings,
                run_id=build_id,
                full_refresh=full_refresh or known != digest,
                progress=progress,
            )
            building.gate(report)
        except BaseException as error:
            reason = str(error) if isinstance(error, TamisError) else "it was stopped"
            state.finish_build(ledger, build_id, later(now, begun), "failed", reason)
            raise
        remembered.write_text(digest)
        state.finish_build(ledger, build_id, later(now, begun), "built")
    return build_id, report


def check(home: Path, settings: Settings, *, now: datetime) -> validate.CheckReport:
    """Check the last build; its state in the ledger becomes checked, or failed.

    Where the recall gate is on, recall on the user's golden questions is one more expectation.

    Raises:
        TamisError: exit 1 where an expectation is not met, exit 3 where there is no build.
    """
    begun = time.monotonic()
    build_id = last_build(home, ("built", "checked", "published"))
    require_own_marts(home, build_id)
    gate: list[validate.Expectation] = []
    if settings.recall_gate:
        # The measuring library is loaded only here.
        from tamis.evaluation.gate import measure_gate

        gate = measure_gate(home)
    report = validate.check(home, gate)
    with state.open_state(home) as ledger:
        if report.failures:
            told = building.first_of([validate.in_words(outcome) for outcome in report.failures])
            reason = f"the check failed, nothing was published: {told}"
            state.finish_build(ledger, build_id, later(now, begun), "failed", reason)
            raise TamisError(reason, GATE_FAILED)
        state.finish_build(ledger, build_id, later(now, begun), "checked")
    return report


def publish(home: Path, *, now: datetime) -> publishing.Published:
    """Publish the last build; the caller holds the writer lock.

    Raises:
        TamisError: exit 1 where the last build has not passed its check.
    """
    begun = time.monotonic()
    with state.open_state(home) as ledger:
        builds = state.builds(ledger, limit=1)
    if not builds:
        raise TamisError(f"nothing is built in {home}: run `tamis build` first", ENVIRONMENT)
    if builds[0]["state"] not in ("checked", "published"):
        raise TamisError(
            "the last build has not passed `tamis check`: nothing was published", GATE_FAILED
        )
    build_id = builds[0]["build_id"]
    require_own_marts(home, build_id)
    published = publishing.publish(home, build_id)
    with state.open_state(home) as ledger:
        state.finish_build(ledger, build_id, later(now, begun), "published")
    return published


def run(
    home: Path,
    settings: Settings,
    *,
    now: datetime,
    full_refresh: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Build, check and publish; nothing is started where nothing changed since the last time."""
    current = publishing.current_build_id(home)
    with writer(home):
        mark = fingerprint(home, settings)
        if not full_refresh and current and is_published(home, current, mark):
            return RunReport(current, False, None, 0, 0)
        build_id, built = build(
            home, settings, now=now, mark=mark, full_refresh=full_refresh, progress=progress
        )
        checked = check(home, settings, now=now)
        published = publish(home, now=now)
    return RunReport(build_id, True, published, built.passed, len(checked.outcomes))


def run_captures(
    home: Path,
    captures: Path,
    *,
    now: datetime,
    note: Callable[[str], None],
    progress: Progress | None = None,
) -> Path:
    """Land a folder of captures and nothing else, then build, check and publish.

    Args:
        home: the home folder.
        captures: the folder.
        now: the time of landing and build, naive UTC.
        note: told what is being done, line by line.
        progress: shown how far the build is.

    Returns:
        The folder of the published build.
    """
    prepare_home(home)
    landing = land(
        home, roots=[captures], sources=None, environ={}, cwd=captures, now=now, progress=None
    )
    new_records = sum(count.new_records for count in landing.entities)
    note(f"landed {new_records} records of {len(landing.entities)} kinds")
    note("building the models, testing the invariants, checking and publishing …")
    report = run(home, load_settings(home), now=now, progress=progress)
    return publishing.published_folder(home) / report.build_id


def later(now: datetime, begun: float) -> datetime:
    """The time now, from when a step began by the clock and by the monotonic one (seconds)."""
    return now + timedelta(seconds=time.monotonic() - begun)


def require_own_marts(home: Path, build_id: str) -> None:
    """Make sure that the marts are those of the build that is to be checked or published.

    Raises:
        TamisError: exit 3 where dbt was run by hand since, perhaps with other settings.
    """
    connection = connect(home, read_only=True)
    try:
        others = connection.execute(
            "select count(*) from marts.facts where run_id <> ?", [build_id]
        ).fetchone()
    finally:
        connection.close()
    if others and others[0]:
        raise TamisError(
            f"the marts in {home} were built by hand since {build_id}: run `tamis build` again"
        )


def is_published(home: Path, build_id: str, mark: str) -> bool:
    """Whether a build is published, still on disk, and was made from this fingerprint."""
    with state.open_state(home) as ledger:
        builds = {row["build_id"]: row for row in state.builds(ledger, limit=1000)}
    row = builds.get(build_id)
    return (
        row is not None
        and row["state"] == "published"
        and row["fingerprint"] == mark
        and (publishing.published_folder(home) / build_id).is_dir()
    )


def last_build(home: Path, states: tuple[str, ...]) -> str:
    """The newest build's id.

    Raises:
        TamisError: exit 3 where there is none, or it is in none of these states.
    """
    with state.open_state(home) as ledger:
        builds = state.builds(ledger, limit=1)
    if not builds or builds[0]["state"] not in states:
        raise TamisError(f"no finished build in {home}: run `tamis build` first", ENVIRONMENT)
    return str(builds[0]["build_id"])
