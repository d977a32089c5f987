"""Dream facts: what lands from a real PostgreSQL, and what staging makes of it."""

import json
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import duckdb
import psycopg
import pytest
from command_line import run_models
from landing_home import land_into, payloads, query
from postgres_server import PASSWORD

from tamis.landing import read_rows
from tamis.sources import dream_facts
from tamis.sources.source import Unreachable

PROJECT = Path(__file__).resolve().parents[1]
FACTS, CORRECTIONS = "dream_facts__facts", "dream_facts__corrections"
SCHEMA = """
create schema memory;
create extension if not exists vector;
create type memory.fact_type as enum ('decision', 'preference', 'reference');
create table memory.facts (
    id bigint generated always as identity primary key,
    session_id text, project text, fact_type memory.fact_type, content text not null,
    reasoning text, context_description text, salience smallint, source_span text,
    confidence real, t_valid timestamptz, t_invalid timestamptz,
    created_at timestamptz not null default now(), source text, source_model_version text,
    dream_run_id uuid, details json, embedding vector(3)
);
create table memory.fact_corrections (
    correction_id uuid primary key default gen_random_uuid(), target_fact_id bigint not null,
    replacement_fact_id bigint, decision text, reason text, actor text, created_at timestamptz
);
insert into memory.facts (
    session_id, project, fact_type, content, reasoning, context_description, salience,
    source_span, confidence, t_valid, t_invalid, created_at, details, embedding
) values
    ('s-1', 'shop', 'decision', 'The shop sells tea', 'tea lasts', 'what is sold', 8,
     'we sell tea', 0.5, '2026-04-01 10:00:00+02', null, '2026-04-02', '{"a": 1.10}', '[1,2,3]'),
    ('s-1', 'shop', 'reference', 'Tea is on shelf 4', null, null, 3, null, 'NaN', null,
     '2026-04-05 00:00:00+00', '2026-04-03', null, null),
    ('s-2', 'shop', 'reference', E'Tea is on shelf 7\\nnear "the door" \\U0001F375', null, null, 4,
     null, null, '2026-04-05', null, '2026-04-05', '{"nul": "a\\u0000b"}', '[4,5,6]');
insert into memory.fact_corrections
    (target_fact_id, replacement_fact_id, decision, reason, actor, created_at)
values
    (2, 3, 'UPDATE', 'it moved', 'dream-reextract', '2026-04-05'),
    (1, null, 'DELETE', 'no tea since May', 'kim', '2026-05-05 08:00:00+00'),
    (1, null, 'NOOP', 'as it was', 'dream-reextract', '2026-04-06'),
    (3, null, null, 'gone', null, '2026-05-06');
"""


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """The address of a database of the test's own, with facts and corrections."""
    name = f"facts_{uuid4().hex}"
    address = postgres.removesuffix("/postgres") + f"/{name}"
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(f"create database {name}")
    with psycopg.connect(address) as connection:
        connection.execute(SCHEMA)
    yield address
    with psycopg.connect(postgres, autocommit=True) as server:
        server.execute(f"drop database {name} with (force)")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as a user would."""
    monkeypatch.setattr(read_rows, "PAUSE_SECONDS", 0.01)


def run(address: str, *statements: str) -> None:
    with psycopg.connect(address) as connection:
        for statement in statements:
            connection.execute(statement)


def said(address: str) -> str:
    """What is said of a database that can't be read."""
    with pytest.raises(Unreachable) as caught:
        list(dream_facts.fetch(address, {}))
    line = str(caught.value)
    assert "\n" not in line
    assert not any(piece in line for piece in (PASSWORD, "s3cret", "Pa55"))
    return line


def test_rows_land_once_as_postgresql_writes_them(home: Path, database: str) -> None:
    report = land_into(home, database)
    assert [(one.source_entity, one.new_records) for one in report.entities] == [
        (FACTS, 3),
        (CORRECTIONS, 4),
    ]
    assert land_into(home, database).new_records == 0
    rows = query(home, f"select container, origin, position, payload from raw.{FACTS} order by all")
    assert [row[0] for row in rows] == [f"memory.facts/{number}" for number in (1, 2, 3)]
    assert {row[1] for row in rows} == {"postgresql://" + database.partition("@")[2]}
    first = json.loads(rows[0][3])
    assert (first["t_valid"], first["salience"]) == ("2026-04-01T08:00:00+00:00", 8)
    assert '"details":{"a": 1.10}' in rows[0][3]
    assert json.loads(rows[1][3])["confidence"] == "NaN"
    assert json.loads(rows[2][3])["details"] == {"nul": "a\0b"}
    assert "embedding" not in first


def test_a_changed_row_is_a_new_record_and_another_embedding_is_none(
    home: Path, database: str
) -> None:
    land_into(home, database)
    run(database, "update memory.facts set embedding = '[7,8,9]'")
    assert land_into(home, database).new_records == 0
    run(
        database,
        "update memory.facts set t_invalid = '2026-06-01' where id = 1",
        "delete from memory.facts where id = 2",
        "alter table memory.facts drop column details, add column grounding_score real",
    )
    assert land_into(home, database).new_records == 2
    assert len(payloads(home, FACTS)) == 5


@pytest.mark.parametrize(
    ("statement", "containers"),
    [
        ("alter table memory.facts drop constraint facts_pkey", {"memory.facts/1"}),
        (
            "alter table memory.facts drop constraint facts_pkey, add primary key (project, id)",
            {"memory.facts/shop/1"},
        ),
    ],
)
def test_a_row_is_known_by_its_key(
    home: Path, database: str, statement: str, containers: set[str]
) -> None:
    run(database, "delete from memory.facts where id > 1", statement)
    land_into(home, database)
    assert {row[0] for row in query(home, f"select container from raw.{FACTS}")} == containers


def test_a_table_without_any_key_and_a_view_land_too(home: Path, database: str) -> None:
    run(
        database,
        "drop table memory.fact_corrections",
        "create table memory.fact_corrections (fact text, new_fact_id text)",
        "insert into memory.fact_corrections values ('a', 'b'), ('a', 'c')",
        "alter table memory.facts rename to kept_facts",
        "create view memory.facts as select * from memory.kept_facts where id < 3",
    )
    report = land_into(home, database)
    assert [one.new_records for one in report.entities] == [2, 2]


def test_all_tables_are_read_as_of_one_moment(database: str) -> None:
    records = dream_facts.fetch(database, {})
    first = next(records)
    run(database, "delete from memory.fact_corrections", "delete from memory.facts")
    assert first.container == "memory.facts/1"
    assert [record.entity for record in records] == [FACTS] * 2 + [CORRECTIONS] * 4


def test_a_reader_that_stops_leaves_no_session(database: str) -> None:
    records = dream_facts.fetch(database, {})
    next(records)
    sessions = "select count(*) from pg_stat_activity where application_name = 'tamis'"
    with psycopg.connect(database, autocommit=True) as other:
        assert other.execute(sessions).fetchone() == (1,)
        records.close()
        # The server ends the session a moment after it was left.
        until = time.monotonic() + 5
        while other.execute(sessions).fetchone() != (0,):
            assert time.monotonic() < until
            time.sleep(0.02)


def test_many_rows_pass_through_in_batches(
    home: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(
        database,
        "insert into memory.facts (content) select 'row ' || n from generate_series(1, 12000) as n",
    )
    held: list[int] = []
    give_chunk = read_rows.give_chunk

    def watched(intakes, numbered, *more) -> None:
        held.append(len(numbered))
        give_chunk(intakes, numbered, *more)

    monkeypatch.setattr(read_rows, "give_chunk", watched)
    assert land_into(home, database).new_records == 12_007
    assert held == [5_000, 5_000, 2_007]


def test_what_was_read_before_a_failure_stays(home: Path, database: str) -> None:
    run(
        database,
        "drop table memory.fact_corrections",
        "create view memory.fact_corrections as select id, 1 / (id - 3) as zero from memory.facts",
    )
    report = land_into(home, database)
    assert report.new_records == 3
    assert report.records == 3
    assert [reason for _, reason in report.failed] == ["division by zero"]


def test_a_missing_table_is_one_line(database: str) -> None:
    run(database, "drop table memory.fact_corrections")
    assert [record.entity for record in dream_facts.fetch(database, {})] == [FACTS] * 3
    run(database, "drop schema memory cascade")
    assert said(database) == "it has no table memory.facts"


def test_a_table_that_may_not_be_read_is_one_line(database: str) -> None:
    run(database, "drop role if exists guest", "create role guest login password 's3cret-Pa55'")
    guest = database.replace("tamis:", "guest:")
    assert said(guest) in (
        "permission denied for schema memory",
        "permission denied for table facts",
    )
    run(database, "drop role guest")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda address: address.replace(PASSWORD, "s3cret-wrong"),
        lambda address: address.replace(PASSWORD, "s3cret@Pa55/x#y"),
        lambda address: address.replace(PASSWORD, "s3cret%Pa55"),
        lambda address: address.replace(PASSWORD, "s3cret#Pa55"),
        lambda address: address.replace(PASSWORD, "s3cret:Pa55 [x"),
        lambda address: address + "?password=s3cret&connect_timeout=Pa55",
        lambda address: address + "?sslmode=s3cret",
        lambda address: address.rpartition("/")[0] + "/absent",
        lambda address: address.rpartition(":")[0] + ":1/facts",
        lambda address: address.rpartition("@")[0] + "@host.invalid/facts",
        lambda address: "postgresql://u:s3cret-Pa55@[::1/facts",
    ],
)
def test_no_password_is_ever_said(
    home: Path,
    postgres: str,
    spoil,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    address = spoil(postgres)
    with pytest.raises(Unreachable) as caught:
        list(dream_facts.fetch(address, {}))
    report = land_into(home, address)
    everything = f"{report} {caught.value} {caplog.text}"
    assert len(report.failed) == 1
    assert "\n" not in report.failed[0][1]
    hidden = ("s3cret", "Pa55") if "sslmode" not in address else (PASSWORD,)
    assert not any(piece in everything for piece in hidden), everything


def test_a_dead_server_is_reported_with_its_reason(postgres: str) -> None:
    line = said(postgres.rpartition(":")[0] + ":1/facts")
    assert "Connection refused" in line


def test_a_password_with_signs_is_written_with_percents(database: str) -> None:
    run(database, "drop role if exists odd", "create role odd superuser login password 'a@b/c#d:e'")
    odd = database.replace(f"tamis:{PASSWORD}", f"odd:{quote('a@b/c#d:e', safe='')}")
    assert len(list(dream_facts.fetch(odd, {}))) == 7
    run(database, "drop role odd")


def test_the_address_comes_from_the_environment(home: Path, database: str, tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "TAMIS_DREAM_FACTS_URL": database}
    assert land_into(home, environ=environ, cwd=tmp_path).new_records == 7
    assert dream_facts.addresses({}) == []


def test_without_the_client_library_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from tamis.sources.dream_facts import fetch\n"
        "try:\n    list(fetch('postgresql://h/d', {}))\n"
        "except Exception as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, timeout=60
    )
    assert done.stdout == (
        "reading PostgreSQL needs a client library: pip install 'tamis[postgres]'\n"
    ), done.stderr


def test_facts_are_memories_and_corrections_are_changes(home: Path, database: str) -> None:
    land_into(home, database)
    models = ["stg_dream_facts__events", "stg_dream_facts__changes"]
    run_models(home, *models)
    with duckdb.connect(str(home / "tamis.duckdb"), read_only=True) as warehouse:
        events = warehouse.execute(
            "select native_id, event_kind, role, session_id, content, occurred_at::varchar,"
            " metadata ->> 'fact_type', metadata ->> 'salience', metadata ->> 'reasoning',"
            " metadata ->> 't_invalid', metadata ->> 'project_name'"
            " from staging.stg_dream_facts__events order by native_id"
        ).fetchall()
        changes = warehouse.execute(
            "select target_native_id, replacement_native_id, kind, reason, actor,"
            " occurred_at::varchar, metadata ->> 'correction_kind'"
            " from staging.stg_dream_facts__changes order by occurred_at"
        ).fetchall()
    shop = ("memory", None)
    shelf = 'Tea is on shelf 7\nnear "the door" 🍵'
    # fmt: off
    assert events == [
        ("1", *shop, "s-1", "The shop sells tea", "2026-04-01 08:00:00", "decision", "8",
         "tea lasts", None, "shop"),
        ("2", *shop, "s-1", "Tea is on shelf 4", "2026-04-03 00:00:00", "reference", "3",
         None, "2026-04-05T00:00:00+00:00", "shop"),
        ("3", *shop, "s-2", shelf, "2026-04-05 00:00:00", "reference", "4", None, None, "shop"),
    ]
    assert changes == [
        ("2", "3", "supersede", "it moved", "dream-reextract", "2026-04-05 00:00:00", "UPDATE"),
        ("1", None, "retire", "no tea since May", "kim", "2026-05-05 08:00:00", "DELETE"),
        ("3", None, "retire", "gone", None, "2026-05-06 00:00:00", None),
    ]
    # fmt: on
