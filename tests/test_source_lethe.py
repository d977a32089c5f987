"""Lethe: which files are its, what lands of them, and what staging makes of its history."""

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from captures.lethe import write_database
from command_line import run_models
from landing_home import land_into, query, write

from tamis.sources.lethe import DATABASE, recognise, roots
from tamis.sources.sqlite_schema import read_schema

RECORDS = {
    "lethe__events": 8,
    "lethe__sessions": 2,
    "lethe__projects": 1,
    "lethe__changesets": 5,
    "lethe__changeset_ops": 13,
    "lethe__refs": 2,
    "lethe__conflicts": 1,
    "lethe__manifests": 1,
    "lethe__legacy_baselines": 1,
}


def change(path: Path, *statements: str) -> None:
    """Statements on a database, and a modification time that surely differs."""
    before = path.stat().st_mtime_ns
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    os.utime(path, ns=(before + 10**9, before + 10**9))


def build(home: Path, *models: str) -> duckdb.DuckDBPyConnection:
    """Run some models in a home and open its warehouse."""
    run_models(home, *models)
    return duckdb.connect(str(home / "tamis.duckdb"), read_only=True)


@pytest.fixture
def built(built_sources: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(built_sources / "tamis.duckdb"), read_only=True) as connection:
        yield connection


def test_a_database_is_known_by_its_tables_and_lands_once(home: Path, folder: Path) -> None:
    write_database(folder / "backup.sqlite3")
    report = land_into(home, folder)
    assert {one.source_entity: one.new_records for one in report.entities} == RECORDS
    write_database(folder / "moved" / "lethe.db")
    assert land_into(home, folder).new_records == 0
    containers = query(home, "select container from raw.lethe__refs order by all")
    assert containers == [
        ("memory_refs/garden/refs/agents/sower/main",),
        ("memory_refs/garden/refs/shared/main",),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "create table events (id integer primary key, name text, content text)",
        "create table sessions (session_id text primary key, summary text)",
        "create table notes (text text default 'CREATE TABLE memory_changesets changeset_id')",
        "create table events (event_id text, event_type text, payload text)",
    ],
)
def test_databases_of_others_are_not_lethes(home: Path, folder: Path, statement: str) -> None:
    folder.mkdir()
    change(write(folder / "app.db", end=""), statement, "create table other (a, b)")
    report = land_into(home, folder)
    assert (report.records, len(report.skipped), report.failed) == (0, 1, ())


@pytest.mark.parametrize(
    "dropped",
    [
        ["events", "sessions", "memory_changeset_ops"],
        ["events", "sessions", "memory_changesets"],
        ["memory_changesets", "memory_changeset_ops"],
    ],
)
def test_a_part_of_the_tables_is_enough(folder: Path, dropped: list[str]) -> None:
    write_database(folder / "x.db")
    change(folder / "x.db", *(f"drop table {table}" for table in dropped), "vacuum")
    assert recognise(folder / "x.db", (folder / "x.db").read_bytes()[:100]) is DATABASE


@pytest.mark.parametrize("page_size", [512, 4096, 65_536])
def test_tables_are_found_wherever_their_definitions_stand(folder: Path, page_size: int) -> None:
    folder.mkdir()
    connection = sqlite3.connect(folder / "x.db")
    connection.execute(f"pragma page_size = {page_size}")
    connection.execute("create table events (event_id, event_type, task_title, task_status)")
    connection.execute("create table big (a)")
    connection.execute("insert into big values (zeroblob(1000000))")
    for number in range(200):
        connection.execute(f"create table t{number} (a, b, c, d)")
    connection.execute("alter table events rename to old_events")
    connection.execute("create table events (event_id, event_type, task_title, task_status)")
    connection.commit()
    connection.close()
    schema = read_schema(folder / "x.db", (folder / "x.db").read_bytes()[:100])
    assert schema is not None
    assert schema.tables == {"events", "old_events", "big", *(f"t{n}" for n in range(200))}
    assert recognise(folder / "x.db", b"SQLite format 3\x00") is DATABASE


def test_a_young_database_whose_tables_stand_in_its_wal_lands(home: Path, folder: Path) -> None:
    folder.mkdir()
    connection = sqlite3.connect(folder / "lethe.db")
    connection.execute("pragma journal_mode = wal")
    connection.execute("create table memory_refs (project_id, ref_name, head_changeset_id)")
    connection.execute("insert into memory_refs values ('p', 'refs/shared/main', 'h')")
    connection.commit()
    assert b"memory_refs" not in (folder / "lethe.db").read_bytes()
    report = land_into(home, folder)
    connection.close()
    assert (report.new_records, report.failed) == (1, ())
    assert query(home, "select container from raw.lethe__refs") == [("memory_refs/1",)]


@pytest.mark.parametrize(
    "data",
    [
        b"SQLite format 3\x00",
        b"SQLite format 3\x00" + bytes(200),
        # An interior page that is its own child, and children far behind the end.
        b"SQLite format 3\x00\x02\x00".ljust(100, b"\0")
        + b"\x05\0\0\xff\xff"
        + b"\0\0\0\x01" * 200,
        b"SQLite format 3\x00\x02\x00".ljust(100, b"\0") + b"\x05\0\0\0\x09" + b"\xff" * 600,
    ],
)
def test_a_hostile_file_is_no_trouble(folder: Path, data: bytes) -> None:
    folder.mkdir()
    (folder / "x.db").write_bytes(data)
    assert recognise(folder / "x.db", data) is None
    assert recognise(folder / "absent.db", data) is None


def test_where_lethe_keeps_its_database(tmp_path: Path) -> None:
    environ = {"HOME": "/home/u", "LETHE_DATA_DIR": "/srv/lethe"}
    assert roots(environ, Path("/work")) == [
        Path("/srv/lethe/lethe.db"),
        Path("/work/lethe.db"),
        Path("/work/lethe-data/lethe.db"),
        Path("/work/lethe-git-data/lethe.db"),
    ]
    write_database(tmp_path / "lethe.db")
    report = land_into(tmp_path / "home", sources=["lethe"], cwd=tmp_path)
    assert report.new_records == sum(RECORDS.values())


def test_a_broken_saved_answer_is_refused_whole(home: Path, folder: Path) -> None:
    text = '{"projection_version":"memory-context/v1","head_changeset_id":"h","memories":[}'
    write(folder / "answer.json", text, end="")
    assert land_into(home, folder).rejects == 1


def test_every_text_is_one_event_however_often_it_is_seen(
    built: duckdb.DuckDBPyConnection,
) -> None:
    kinds = built.execute(
        "select event_kind, count(*), count(distinct event_id) from staging.stg_lethe__events"
        " group by all order by all"
    ).fetchall()
    assert kinds == [
        ("memory", 15, 14),
        ("observation", 2, 1),
        ("summary", 2, 2),
        ("system", 1, 1),
    ]
    seen_twice = built.execute(
        "select native_id, content, sighting_count, is_changed, event_kind, session_id,"
        " occurred_at::varchar from intermediate.int_events_unioned"
        " where source_system = 'lethe' and sighting_count > 1 order by all"
    ).fetchall()
    assert seen_twice == [
        (
            "evt-2",
            "The soil of bed two is dry",
            2,
            False,
            "observation",
            "ses-1",
            "2026-05-01 10:01:00.25",
        ),
        ("watering", "Water at seven", 2, False, "memory", None, "2026-05-01 11:02:00.25"),
    ]


def test_every_state_of_a_memory_is_kept_with_what_made_it(
    built: duckdb.DuckDBPyConnection,
) -> None:
    states = built.execute(
        "select distinct content, metadata ->> 'changeset_id', metadata ->> 'ordinal',"
        " metadata ->> 'project_name', agent_id from staging.stg_lethe__events"
        " where native_id = 'watering' order by all"
    ).fetchall()
    assert states == [
        ("Refill the kettle", "cs-kitchen", "0", "kitchen", None),
        ("Water at eight", "cs-left", "0", "garden", "sower"),
        ("Water at seven", "cs-change", "0", "garden", None),
        ("Water at six", "cs-add", "0", "garden", None),
    ]


def test_operations_are_changes_and_proposals_are_none(built: duckdb.DuckDBPyConnection) -> None:
    changes = built.execute(
        "select target_native_id, replacement_native_id, kind, reason, metadata ->> 'changeset_id'"
        " from staging.stg_lethe__changes order by all"
    ).fetchall()
    assert changes == [
        ("evt-1", "tomatoes", "correct", "message of cs-change", "cs-change"),
        ("evt-3", "evt-3", "correct", "message of cs-change", "cs-change"),
        ("evt-4", None, "supersede", "seeds came", "cs-change"),
        ("mem:cs-add:1", "mem:cs-change:2", "supersede", "message of cs-change", "cs-change"),
        ("twin", "evt-1", "duplicate", "message of cs-change", "cs-change"),
        ("watering", "watering", "correct", "late", "cs-change"),
        ("watering", "watering", "correct", "message of cs-left", "cs-left"),
    ]
    # What a change names, and the state that it leads to, are events.
    strays = built.execute(
        "select target_native_id from staging.stg_lethe__changes as changes"
        " anti join staging.stg_lethe__events as events on native_id = target_native_id"
        " union all select replacement_native_id from staging.stg_lethe__changes as changes"
        " anti join staging.stg_lethe__events as events on native_id = replacement_native_id"
        " and part = coalesce(changes.metadata ->> 'replacement_part', part)"
        " where replacement_native_id is not null"
    ).fetchall()
    assert strays == []
    assert built.execute(
        "select count(*), count(distinct change_id), count(distinct actor),"
        " min(occurred_at)::varchar from staging.stg_lethe__changes"
    ).fetchall() == [(7, 7, 1, "2026-05-01 11:02:00.25")]


def test_history_stands_ready_for_a_projection(built: duckdb.DuckDBPyConnection) -> None:
    assert built.execute(
        "select changeset_id, parent_ids, is_legacy_root from staging.stg_lethe__changesets"
        " where project_id = 'garden' order by created_at"
    ).fetchall() == [
        ("cs-root", [], True),
        ("cs-add", ["cs-root"], False),
        ("cs-change", ["cs-add"], False),
        ("cs-left", ["cs-change"], False),
    ]
    assert built.execute(
        "select root_changeset_id, event_ids from staging.stg_lethe__legacy_baselines"
    ).fetchall() == [("cs-root", [f"evt-{number}" for number in range(1, 8)])]
    assert built.execute(
        "select op_type, ordinal, json_extract_string(payload, '$.reason')"
        " from staging.stg_lethe__changeset_ops where op_type like 'pro%'"
    ).fetchall() == [("propose_deprecation", 5, "it rained")]
    assert built.execute(
        "select selected_memory_ids from staging.stg_lethe__manifests"
    ).fetchall() == [(["watering"],)]


def test_memories_become_facts_and_a_subagents_do_not(built: duckdb.DuckDBPyConnection) -> None:
    assert built.execute(
        "select count(*) from marts.facts where source_system = 'lethe'"
    ).fetchall() == [(16,)]
    assert built.execute(
        "select native_id, rule_id from marts.rejections where source_system = 'lethe' order by all"
    ).fetchall() == [("evt-6", "machine_text"), ("evt-7", "subagent_session")]


def test_the_newest_state_of_a_ref_and_a_conflict_is_staged(
    built: duckdb.DuckDBPyConnection,
) -> None:
    assert built.execute(
        "select ref_name, head_changeset_id, is_protected, updated_at::varchar"
        " from staging.stg_lethe__refs order by all"
    ).fetchall() == [
        ("refs/agents/sower/main", "cs-left", False, "2026-05-01 11:02:00.25"),
        ("refs/shared/main", "cs-left", True, "2026-05-01 11:30:00.25"),
    ]
    assert built.execute(
        "select status, resolved_at::varchar from staging.stg_lethe__conflicts"
    ).fetchall() == [("resolved", "2026-05-01 11:30:00.25")]
    assert built.execute(
        "select (select count(*) from raw.lethe__refs),"
        " (select count(*) from raw.lethe__conflicts), (select count(*) from raw.lethe__events)"
    ).fetchall() == [(3, 2, 8)]


def test_a_changed_row_is_a_new_record_and_what_was_landed_stays(home: Path, folder: Path) -> None:
    write_database(folder / "lethe.db")
    assert land_into(home, folder).new_records == sum(RECORDS.values())
    change(
        folder / "lethe.db",
        "update events set task_status = 'done' where event_id = 'evt-8'",
        "delete from events where event_id = 'evt-1'",
    )
    assert land_into(home, folder).new_records == 1
    assert query(home, "select count(*) from raw.lethe__events") == [(9,)]


def test_the_reference_sample_lands_and_its_answer_is_of_the_same_events(
    shared: Path, home: Path
) -> None:
    report = land_into(home, shared / "samples" / "lethe")
    assert (report.records, report.failed, report.skipped) == (25, (), ())
    expected = json.loads((shared / "samples" / "EXPECTED.json").read_text())["lethe"]
    with build(home, "stg_lethe__events", "+stg_lethe__events") as warehouse:
        answered = warehouse.execute(
            "select native_id from staging.stg_lethe__events"
            " where source_entity = 'context_memories' order by all"
        ).fetchall()
        known = warehouse.execute(
            "select event_id from staging.stg_lethe__events"
            " where source_entity <> 'context_memories'"
        ).fetchall()
        events = warehouse.execute(
            "select count(*), count(distinct event_id) from staging.stg_lethe__events"
        ).fetchall()
    assert [name for (name,) in answered] == sorted(expected["active_expected"])
    assert (len(set(known)), events) == (9, [(13, 9)])


def test_the_reference_sample_shows_what_lethe_shows(shared: Path, home: Path) -> None:
    assert land_into(home, shared / "samples" / "lethe").failed == ()
    expected = json.loads((shared / "samples" / "EXPECTED.json").read_text())["lethe"]
    with build(home, "memory_history", "+memory_history") as warehouse:
        shown = warehouse.execute(
            "select memory_id from marts.memory_history"
            " where next_order is null and is_shown and conflict_id is null"
            " order by memory_order desc"
        ).fetchall()
        withheld = warehouse.execute(
            "select distinct memory_id from marts.memory_history where conflict_id is not null"
        ).fetchall()
    assert [name for (name,) in shown] == expected["active_expected"]
    assert [name for (name,) in withheld] == expected["withheld"]
