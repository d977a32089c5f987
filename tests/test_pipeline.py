"""The whole line, run as a user runs it: real captures of the demo, a real home, real processes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
from command_line import run_tamis

from tamis.build import run_dbt
from tamis.home import load_settings

UNSTABLE = ("recorded_at", "expired_at", "landed_at", "run_id")


def marts(home: Path) -> Path:
    """The folder of a home's published build."""
    return home / "published" / (home / "published" / "CURRENT").read_text().strip()


def stable_rows(home: Path, mart: str) -> list[tuple[object, ...]]:
    """A published mart's rows without what depends on when it was landed and built."""
    frame = pl.read_parquet(marts(home) / f"{mart}.parquet")
    # Where a record was first seen names this test's own folders.
    dropped = [name for name in (*UNSTABLE, "origin") if name in frame.columns]
    return frame.drop(dropped).sort(frame.columns[0]).rows()


def test_the_demo_prints_before_and_after(demo: tuple[Path, str]) -> None:
    _, printed = demo
    for word in ("before", "after", "memories", "recall@5", "nDCG@10", "slot waste@10", "refused:"):
        assert word in printed
    assert "answers lost 0" in " ".join(printed.split())


def test_a_second_run_changes_nothing_and_starts_no_dbt(tmp_path: Path, captures: Path) -> None:
    home = tmp_path / "home"
    first = run_tamis("--home", home, "run", "--from", captures)
    assert first.returncode == 0, first.stderr
    manifest = home / "dbt" / "target" / "run_results.json"
    built_at = manifest.stat().st_mtime_ns
    build = (home / "published" / "CURRENT").read_text()
    second = run_tamis("--home", home, "--json", "run", "--from", captures)
    assert second.returncode == 0, second.stderr
    said = json.loads(second.stdout)
    assert said["schema_version"] == 1
    assert said["run"]["changed"] is False
    assert sum(count["new_records"] for count in said["landing"]["entities"]) == 0
    assert manifest.stat().st_mtime_ns == built_at
    assert (home / "published" / "CURRENT").read_text() == build

    copy = shutil.copytree(captures, tmp_path / "elsewhere" / "captures")
    third = run_tamis("--home", home, "--json", "run", "--from", copy)
    said = json.loads(third.stdout)
    assert sum(count["new_records"] for count in said["landing"]["entities"]) == 0
    assert said["run"]["changed"] is False

    rebuilt = {mart: stable_rows(home, mart) for mart in ("facts", "fact_sources", "rejections")}
    fourth = run_tamis("--home", home, "run", "--from", captures, "--full-refresh")
    assert fourth.returncode == 0, fourth.stderr
    for mart, rows in rebuilt.items():
        assert stable_rows(home, mart) == rows, f"a full refresh changed {mart}"


def test_neither_order_nor_pace_of_landing_changes_the_facts(
    tmp_path: Path, captures: Path, demo: tuple[Path, str]
) -> None:
    home = tmp_path / "home"
    files = sorted((path for path in captures.rglob("*") if path.is_file()), reverse=True)
    half = len(files) // 2
    for part in (files[:half], files[half:]):
        # Each half is built, so that the second one is incremental.
        arguments = [word for path in part for word in ("--from", path)]
        done = run_tamis("--home", home, "run", *arguments)
        assert done.returncode == 0, done.stderr
    for mart in ("facts", "fact_sources", "rejections", "sessions", "projects"):
        assert stable_rows(home, mart) == stable_rows(demo[0], mart), mart


def test_every_event_has_one_verdict(demo: tuple[Path, str]) -> None:
    home, _ = demo
    connection = duckdb.connect(str(home / "tamis.duckdb"), read_only=True)
    events = connection.execute("select event_id from intermediate.int_events_unioned").fetchall()
    connection.close()
    sources = pl.read_parquet(marts(home) / "fact_sources.parquet")["event_id"].to_list()
    refused = pl.read_parquet(marts(home) / "rejections.parquet")["event_id"].to_list()
    assert sorted(sources + refused) == sorted(event for (event,) in events)


def test_no_secret_leaves_raw(demo: tuple[Path, str]) -> None:
    from tamis.demo import FAKE_SECRETS

    home, printed = demo
    searched = 0
    for path in [*marts(home).glob("*.parquet"), *home.rglob("*.html"), *home.rglob("*.json")]:
        text = str(pl.read_parquet(path).rows()) if path.suffix == ".parquet" else path.read_text()
        searched += 1
        for secret in FAKE_SECRETS.values():
            assert secret not in text, path
    assert searched > 10
    for secret in FAKE_SECRETS.values():
        assert secret not in printed
    facts = pl.read_parquet(marts(home) / "facts.parquet")["text"].to_list()
    assert any("[REDACTED:" in fact for fact in facts)


def test_data_docs_hold_no_memory_text(demo: tuple[Path, str]) -> None:
    home, _ = demo
    texts = [
        text for text in pl.read_parquet(marts(home) / "facts.parquet")["text"] if len(text) > 12
    ]
    pages = list((home / "gx" / "data_docs").rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        html = page.read_text()
        assert not [text for text in texts if text in html], page


def test_why_tells_where_facts_and_rejections_came_from(demo: tuple[Path, str]) -> None:
    home, _ = demo
    facts = pl.read_parquet(marts(home) / "facts.parquet").sort("capture_count", descending=True)
    for fact in facts.head(3).iter_rows(named=True):
        done = run_tamis("--home", home, "--json", "why", fact["fact_id"][:16])
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["fact"]["text"] == fact["text"]
        assert len(found["sources"]) == fact["capture_count"]
        for source in found["sources"]:
            assert Path(source["origin"]).is_file()
            assert source["steps"] is not None
    refused = pl.read_parquet(marts(home) / "rejections.parquet").head(3)
    for row in refused.iter_rows(named=True):
        done = run_tamis("--home", home, "why", row["event_id"])
        assert done.returncode == 0, done.stderr
        assert row["rule_id"] in done.stdout
        assert row["reason"] in done.stdout
        assert str(row["position"]) in done.stdout


def test_why_refuses_ids_that_name_nothing(demo: tuple[Path, str]) -> None:
    home, _ = demo
    for identifier in ("abc", "0" * 64, "not an id"):
        done = run_tamis("--home", home, "why", identifier)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


def test_views_over_the_published_files_open_in_any_client(demo: tuple[Path, str]) -> None:
    home, _ = demo
    connection = duckdb.connect(str(marts(home) / "published.duckdb"), read_only=True)
    count = connection.execute("select count(*) from facts").fetchone()
    connection.close()
    assert count and count[0] == pl.read_parquet(marts(home) / "facts.parquet").height


def test_a_planted_duplicate_fact_fails_the_check(tmp_path: Path, demo: tuple[Path, str]) -> None:
    home = shutil.copytree(demo[0], tmp_path / "home")
    published = (home / "published" / "CURRENT").read_text()
    connection = duckdb.connect(str(home / "tamis.duckdb"))
    connection.execute(
        "insert into marts.facts select * replace (sha256(fact_id) as fact_id) from marts.facts"
        " where is_current order by fact_id limit 1"
    )
    connection.close()
    check = run_tamis("--home", home, "check")
    assert check.returncode == 1, check.stdout
    assert "no two current facts of one scope share a body" in check.stderr
    assert run_tamis("--home", home, "publish").returncode == 1
    assert (home / "published" / "CURRENT").read_text() == published
    status = run_tamis("--home", home, "status")
    assert status.returncode == 1
    assert "the check failed" in status.stdout
    assert run_tamis("--home", home, "recall", "port").returncode == 0


def test_a_planted_duplicate_fact_fails_plain_dbt(tmp_path: Path, demo: tuple[Path, str]) -> None:
    """A dedup that lets a second fact through is caught by `dbt build` alone."""
    from tamis.home import project_dir

    home = shutil.copytree(demo[0], tmp_path / "home")
    project = tmp_path / "project"
    project.mkdir()
    for name in ("models", "macros", "seeds", "dbt_project.yml", "profiles.yml"):
        source = project_dir() / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, project / name)
    shutil.copytree(project_dir() / "tests" / "invariants", project / "tests" / "invariants")
    facts = project / "models" / "marts" / "facts.sql"
    planted = facts.read_text().rsplit("select *\nfrom facts", 1)[0]
    facts.write_text(
        planted
        + "select * from facts union all"
        + " (select * replace (sha256(fact_id) as fact_id) from facts where is_current"
        + " order by fact_id limit 1)\n"
    )
    done = subprocess.run(
        [Path(sys.executable).with_name("dbt"), "build", "--exclude-resource-type", "unit_test"],
        cwd=project,
        env={**os.environ, "TAMIS_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    assert "no_two_current_facts_of_one_scope_share_a_body" in done.stdout


def test_plain_dbt_build_works_on_an_empty_home(tmp_path: Path) -> None:
    from tamis.home import project_dir

    arguments = ["build", "--target-path", str(tmp_path / "target"), "--log-path", str(tmp_path)]
    done = subprocess.run(
        [Path(sys.executable).with_name("dbt"), *arguments],
        cwd=project_dir(),
        env={**os.environ, "TAMIS_HOME": str(tmp_path / "home" / "not" / "there")},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_another_build_of_the_same_project_parses_nothing_anew(
    tmp_path: Path, demo: tuple[Path, str]
) -> None:
    home = demo[0]
    target = shutil.copytree(home / "dbt" / "target", tmp_path / "target")
    told = run_dbt(
        home,
        load_settings(home),
        ["parse", "--log-level", "debug"],
        run_id="another",
        target_path=target,
    )
    assert "PartialParsingSkipParsing" in [json.loads(line)["info"]["name"] for line in told]


def test_a_failed_build_leaves_the_published_one(tmp_path: Path, demo: tuple[Path, str]) -> None:
    home = shutil.copytree(demo[0], tmp_path / "home")
    published = (home / "published" / "CURRENT").read_text()
    connection = duckdb.connect(str(home / "tamis.duckdb"))
    connection.execute(
        "insert into raw.claude_code__entries select * from raw.claude_code__entries"
    )
    connection.close()
    done = run_tamis("--home", home, "build")
    assert done.returncode == 1
    assert "no_record_is_landed_twice" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (home / "published" / "CURRENT").read_text() == published


def test_a_second_writer_gets_one_line_and_exit_code_3(tmp_path: Path, captures: Path) -> None:
    home = tmp_path / "home"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from tamis.warehouse import writer\n"
            "with writer(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()",
            str(home),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for verb in (("land", "--from", captures), ("build",), ("publish",)):
            done = run_tamis("--home", home, *verb)
            assert done.returncode == 3, (verb, done.stdout)
            assert len(done.stderr.splitlines()) == 1
            assert "another tamis" in done.stderr
    finally:
        holder.communicate("")


def test_a_warehouse_held_by_another_program_is_named(
    tmp_path: Path, demo: tuple[Path, str]
) -> None:
    home = shutil.copytree(demo[0], tmp_path / "home")
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, duckdb; c = duckdb.connect(sys.argv[1])\n"
            "print('held', flush=True); sys.stdin.read()",
            str(home / "tamis.duckdb"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        done = run_tamis("--home", home, "build")
        assert done.returncode == 3
        assert len(done.stderr.splitlines()) == 1
        assert "tamis.duckdb" in done.stderr
        # Readers follow the published build and never meet the lock.
        assert run_tamis("--home", home, "recall", "port").returncode == 0
        assert run_tamis("--home", home, "status").returncode == 0
    finally:
        holder.communicate("")
