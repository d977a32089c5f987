"""Freshness: a source that is in use and brings nothing new is told of, and no other is."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import run_tamis
from landing_home import NOW, append, claude, land_into, write

from tamis.home import Settings
from tamis.sources import SOURCES
from tamis.status import status

PROJECT = Path(__file__).resolve().parents[1]
DAY = timedelta(days=1)
HEADER = '{"type":"session","version":3,"id":"s1","cwd":"/none"}'


def source_freshness(home: Path) -> dict[str, str]:
    """What `dbt source freshness` says of every raw table; it must end well."""
    home.mkdir(exist_ok=True)
    places = {"TAMIS_HOME": home, "DBT_TARGET_PATH": home / "target", "DBT_LOG_PATH": home / "logs"}
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "source", "freshness"],
        cwd=PROJECT,
        env={**os.environ, **{name: str(place) for name, place in places.items()}},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((home / "target/sources.json").read_text())["results"]
    return {".".join(result["unique_id"].split(".")[-2:]): result["status"] for result in results}


def test_a_fresh_home_is_fresh_and_every_source_is_asked(home: Path) -> None:
    found = source_freshness(home)
    assert set(found.values()) == {"pass"}
    assert {name.partition(".")[0] for name in found} == {
        source.name for source in SOURCES if source.name != "git"
    }


def test_a_source_is_as_fresh_as_the_newest_of_its_tables(home: Path, folder: Path) -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    write(folder / "old.jsonl", claude("long ago"))
    place = folder / "agents/main/sessions"
    write(place / "sessions.json", '{"agent:main:main": {"sessionId": "s1"}}')
    land_into(home, folder, now=now - 8 * DAY)
    write(place / "s1.jsonl", HEADER)
    land_into(home, folder, now=now - 6 * DAY)
    assert status(home, now).stale == {"claude_code": now - 8 * DAY}
    found = source_freshness(home)
    old = {name: state for name, state in found.items() if state != "pass"}
    assert old == dict.fromkeys(
        ["claude_code.entries", "claude_code.history", "claude_code.memory_files"], "warn"
    )


def test_status_is_silent_until_a_source_is_stale_and_then_names_it(
    home: Path, folder: Path
) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    write(folder / "agents/main/sessions/s1.jsonl", HEADER)
    land_into(home, folder)
    fresh = ("nothing is published yet: run `tamis run`",)
    assert status(home, NOW + 7 * DAY).troubles == fresh
    append(path, claude("second") + "\n")
    land_into(home, folder, now=NOW + 4 * DAY)
    told = "nothing new for more than 7 days: openclaw (since 2026-06-02)"
    assert status(home, NOW + 8 * DAY).troubles == (told, *fresh)
    both = "claude_code (since 2026-06-06), openclaw (since 2026-06-02)"
    assert status(home, NOW + 12 * DAY).troubles[0].endswith(f": {both}")


def test_landings_that_bring_nothing_do_not_make_a_source_fresh(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    land_into(home, folder, now=NOW + 9 * DAY)
    path.touch()
    write(folder / "copy.jsonl", claude("first"))
    land_into(home, folder, now=NOW + 9 * DAY)
    assert status(home, NOW + 9 * DAY).stale == {"claude_code": NOW}


def test_how_long_is_a_setting(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    (home / "tamis.toml").write_text("stale_after_days = 30\n")
    assert status(home, NOW + 30 * DAY).stale == {}
    assert status(home, NOW + 31 * DAY).stale == {"claude_code": NOW}
    (home / "tamis.toml").write_text("stale_after_days = 0\n")
    done = run_tamis("--home", home, "status")
    assert (done.returncode, done.stdout) == (2, "")
    assert "stale_after_days must be 1 or more" in done.stderr


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_tells_it_and_is_no_failed_gate(
    home: Path, folder: Path, as_json: bool
) -> None:
    write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    done = run_tamis("--home", home, *["--json"] * as_json, "status")
    assert (done.returncode, done.stderr) == (0, "")
    if as_json:
        assert json.loads(done.stdout)["stale"] == {"claude_code": NOW.isoformat()}
    else:
        assert "nothing new for more than 7 days: claude_code (since 2026-06-02)" in done.stdout


def test_settings_of_watching_freshness_and_recall_build_nothing_anew() -> None:
    settings = asdict(Settings())
    kept = Settings(
        stale_after_days=3, watch_seconds=4, recall_encoder="none", recall_gate=True
    ).of_builds()
    readers = {"stale_after_days", "watch_seconds", "user_name", "context_budget"}
    assert set(settings) - set(kept) == readers | {"recall_encoder", "recall_gate"}
    assert kept == {name: settings[name] for name in kept}
