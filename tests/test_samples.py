"""Reference samples give the turns that they state, and real captures land and build."""

import json
import sqlite3
from pathlib import Path

import duckdb
import polars as pl
import pytest
from command_line import run_tamis
from landing_home import land_into, query

TURNS = """
    select events.session_id, events.cwd, events.role, bodies.body
    from intermediate.int_events_classified as classified
    inner join intermediate.int_events_unioned as events using (event_id)
    inner join intermediate.int_events_ordered as places using (event_id)
    inner join intermediate.int_events_redacted as bodies using (event_id)
    inner join intermediate.int_events_deduplicated as verdicts using (event_id)
    where classified.is_turn
        and verdicts.cover_rule is null
        and events.event_id = verdicts.capture_id
    order by places.event_order
"""


def built(home: Path, *paths: Path) -> duckdb.DuckDBPyConnection:
    """Land the paths, build, and open the warehouse."""
    arguments = [word for path in paths for word in ("--from", path)]
    done = run_tamis("--home", home, "land", *arguments)
    assert done.returncode == 0, done.stderr
    done = run_tamis("--home", home, "build")
    assert done.returncode == 0, done.stderr
    return duckdb.connect(str(home / "tamis.duckdb"), read_only=True)


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(
        (shared / "samples" / "EXPECTED.json").read_text()
    )
    return found


def test_claude_code_turns(tmp_path: Path, shared: Path, expected: dict[str, dict]) -> None:
    samples = shared / "samples" / "claude_code"
    turns = built(tmp_path / "home", samples).execute(TURNS).fetchall()
    by_folder: dict[str, list[str]] = {}
    for _, cwd, role, body in turns:
        if role == "user":
            by_folder.setdefault(cwd, []).append(body)
    assert by_folder == expected["claude_code"]["human_turns_expected"]


def test_records_are_what_the_samples_hold(
    home: Path, shared: Path, expected: dict[str, dict]
) -> None:
    samples = shared / "samples"
    report = land_into(home, samples)
    assert report.torn == expected["openclaw"]["jsonl_era"]["torn_last_lines"]
    claude = "5a000000-0000-4000-8000-0000000000"
    lines = f"select count(*) from raw.claude_code__entries where origin like '%/{claude}"
    raw_lines = expected["claude_code"]["raw_lines"]
    assert query(home, f"{lines}14.jsonl'") == [(raw_lines["first"],)]
    assert query(home, f"{lines}15.jsonl'") == [(raw_lines["resumed"],)]
    shared_uuids = query(
        home,
        "select count(*) from (select payload ->> 'uuid' as uuid from raw.claude_code__entries"
        f" where container in ('{claude}14', '{claude}15') group by uuid"
        " having uuid is not null and count(distinct container) = 2)",
    )
    assert shared_uuids == [(expected["claude_code"]["shared_uuids"],)]
    frames = dict(
        query(
            home,
            "select payload ->> 'id', (payload ->> 'access_count')::int"
            " from raw.hive_mind__memory_frames",
        )
    )
    mind = expected["hive_mind"]
    assert (len(frames), frames) == (mind["stored_frames"], mind["access_counts"])
    captured = (samples / "hive_mind" / "raw_capture_events.jsonl").read_text().splitlines()
    assert len(captured) == mind["raw_events"]


def test_openclaw_turns_of_both_eras_and_hooks(
    tmp_path: Path, shared: Path, expected: dict[str, dict]
) -> None:
    warehouse = built(tmp_path / "home", shared / "samples" / "openclaw")
    turns = warehouse.execute(TURNS).fetchall()
    main = "5a000000-0000-4000-8000-000000000001"
    for role, key in (
        ("user", "human_turns_expected_main"),
        ("assistant", "assistant_turns_expected_main"),
    ):
        said = [body for session, _, speaker, body in turns if (session, speaker) == (main, role)]
        assert said == expected["openclaw"][key]
    everything = [body for *_, body in turns]
    assert expected["openclaw"]["archived_fact_only_in_reset_file"] in everything
    files = warehouse.execute(
        "select payload ->> '$.kind', count(*) from raw.openclaw__session_files group by 1"
    ).fetchall()
    era = expected["openclaw"]["jsonl_era"]
    assert dict(files) == {
        "primary": era["primary_transcripts"],
        "reset": era["reset_archives"],
        "checkpoint": era["checkpoints"],
    }
    # Its torn last line waits; the database holds the same 31 lines as the file before it.
    for entity, session in (
        ("entries", "container"),
        ("transcript_events", "payload ->> '$.session_id'"),
    ):
        lines = warehouse.execute(
            f"select count(*) from raw.openclaw__{entity} where {session} = '{main}'"
        ).fetchall()
        assert lines == [(era["lines_main"],)]
    # Every event of the database is one of the files' events, seen once more.
    sighted = warehouse.execute(
        "select count(*), count(distinct event_id) from staging.stg_openclaw__events"
        " where source_entity <> 'hook_events'"
    ).fetchall()
    assert sighted == [(70, 38)]
    # The hooks' two turns are the transcript's: five minutes apart, so not one capture, but
    # one memory.
    counted = warehouse.execute(
        "select text, source_systems, capture_count from marts.facts where text in"
        " ('Please move the demo service to port 9090',"
        " 'Done: the demo service now listens on port 9090.') order by text"
    ).fetchall()
    assert counted == [
        ("Done: the demo service now listens on port 9090.", ["openclaw"], 3),
        ("Please move the demo service to port 9090", ["openclaw"], 2),
    ]


def test_double_captures_in_a_mind_are_one_fact_each(tmp_path: Path, shared: Path) -> None:
    """The captures as they arrived, before hive-mind's own dedup, written into a mind."""
    lines = (shared / "samples" / "hive_mind" / "raw_capture_events.jsonl").read_text().splitlines()
    mind = tmp_path / "captured.mind"
    with sqlite3.connect(mind) as connection:
        connection.execute(
            "create table memory_frames (id integer primary key, frame_type text, gop_id text,"
            " t integer, base_frame_id integer, content text, importance text, source text,"
            " access_count integer, created_at text, last_accessed text, content_hash text)"
        )
        for event in map(json.loads, lines):
            connection.execute(
                "insert into memory_frames values (?, 'I', ?, 0, null, ?, ?, ?, 0, ?, ?, null)",
                (
                    *(event["seq"], event["gop_id"], event["content"], event["importance"]),
                    *(event["source"], event["captured_at"], event["captured_at"]),
                ),
            )
    connection.close()
    facts = built(tmp_path / "home", mind).execute(
        "select text, capture_count from marts.facts order by text"
    )
    assert dict(facts.fetchall()) == {
        "Done: the demo service now listens on port 9090.": 2,
        "Please move the demo service to port 9090": 2,
        "We decided to store memories in DuckDB.": 2,
        "Which port did we pick?": 1,
    }


@pytest.fixture(scope="module")
def real_home(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    home = tmp_path_factory.mktemp("real") / "home"
    folders = (shared / "real" / "claude_code", shared / "real" / "openclaw", shared / "samples")
    arguments = [word for path in folders for word in ("--from", path)]
    done = run_tamis("--home", home, "run", *arguments)
    assert done.returncode == 0, done.stderr
    second = run_tamis("--home", home, "--json", "run", *arguments)
    said = json.loads(second.stdout)
    assert said["run"]["changed"] is False
    assert sum(entity["new_records"] for entity in said["landing"]["entities"]) == 0
    return home


def test_real_captures_give_facts_and_rejections(real_home: Path) -> None:
    build = real_home / "published" / (real_home / "published" / "CURRENT").read_text().strip()
    facts = pl.read_parquet(build / "facts.parquet")
    rejections = pl.read_parquet(build / "rejections.parquet")
    assert facts.height > 150
    assert rejections.height > 1500
    captured_by = {"claude_code", "codex", "hive_mind", "lethe", "openclaw"}
    assert set(facts["source_system"]) == captured_by
    # A timer started every run of this agent: it was told much, and nobody said a word to it.
    assert facts.filter(pl.col("agent_id") == "build").height == 0
    assert rejections.filter(pl.col("namespace").str.contains("build")).height > 200
    assert rejections["reason"].null_count() == 0


def test_files_of_no_source_are_listed_as_skipped(real_home: Path) -> None:
    done = run_tamis("--home", real_home, "--json", "doctor")
    skipped = {Path(row["path"]).name for row in json.loads(done.stdout)["skipped"]}
    assert "raw_capture_events.jsonl" in skipped
