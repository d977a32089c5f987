"""claude-mem: what is recognised, what lands, what its rows become."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from captures import claude_mem as captures
from landing_home import database, land_into, payloads, query, write
from test_macros import sql_of

from tamis.sources.claude_mem import CLAUDE_MEM, DATABASE, EXPORT

SESSION = captures.CLAUDE_SESSION
OBSERVATIONS = "claude_mem__observations"
WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("pragma journal_mode = wal")
connection.execute("pragma wal_autocheckpoint = 0")
connection.executescript(sys.argv[2])
insert = "insert into observations (memory_session_id, project, type, title, created_at,"
insert += " created_at_epoch) values ('m', 'p', 'note', ?, 't', 1)"
connection.execute(insert, ("committed",))
connection.execute("begin exclusive")
connection.execute(insert, ("not yet committed",))
print("held", flush=True)
sys.stdin.readline()
"""


def events(home: Path, where: str) -> list[tuple[Any, ...]]:
    """Part, kind, role and text of the events, each once, in order."""
    return query(
        home,
        "select distinct part, event_kind, role, content from staging.stg_claude_mem__events"
        f" where {where} order by part, content",
    )


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("claude-mem.db", b"", DATABASE),
        ("x.json", b'{"exportedAt":"t","totalObservations":1,"observations":[]}', EXPORT),
        ("x.json", b'\xef\xbb\xbf {"summaries":[{"memory_session_id":"m"}]}', EXPORT),
        ("x.json", b'{"observations":[{"station":"north"}]}', None),
        ("x.json", b'[{"memory_session_id":"m","observations":1}]', None),
        ("x.jsonl", b'{"memory_session_id":"m","observations":[]}', None),
        ("settings.json", b"{}", None),
    ],
)
def test_its_files_are_known_and_no_others(name: str, head: bytes, expected: object) -> None:
    assert CLAUDE_MEM.recognise(Path(name), head) is expected


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (("sdk_sessions(id)", "observations(id)"), DATABASE),
        (("memory_items(id)", "agent_events(id)"), DATABASE),
        (("observations(id)",), None),
    ],
)
def test_its_databases_are_known_by_their_tables(
    tmp_path: Path, tables: tuple[str, ...], expected: object
) -> None:
    path = tmp_path / "before-29.bak"
    assert CLAUDE_MEM.recognise(path, database(path, *tables)) is expected


def test_it_is_looked_for_where_it_is_set_up_to_be(tmp_path: Path) -> None:
    usual = CLAUDE_MEM.roots({"HOME": str(tmp_path)}, tmp_path)
    assert usual[0] == tmp_path / ".claude-mem" / "claude-mem.db"
    assert CLAUDE_MEM.roots({"CLAUDE_MEM_DATA_DIR": "/data"}, tmp_path)[0] == Path(
        "/data/claude-mem.db"
    )


def test_every_row_lands_once_wherever_the_files_lie(home: Path, folder: Path) -> None:
    captures.write(folder)
    first = land_into(home, folder)
    counts = {count.source_entity: count.new_records for count in first.entities}
    assert counts == {
        OBSERVATIONS: 28,
        "claude_mem__session_summaries": 2,
        "claude_mem__user_prompts": 16,
        "claude_mem__sdk_sessions": 7,
        "claude_mem__pending_messages": 6,
        "claude_mem__memory_items": 3,
        "claude_mem__agent_events": 1,
    }
    assert (first.rejects, first.skipped, first.failed) == (0, (), ())
    assert land_into(home, folder).new_records == 0
    shutil.copytree(folder, folder.parent / "moved")
    assert land_into(home, folder.parent / "moved").new_records == 0


def test_a_changed_row_is_a_new_record(home: Path, folder: Path) -> None:
    captures.write_database(folder / "claude-mem.db")
    land_into(home, folder)
    with sqlite3.connect(folder / "claude-mem.db") as connection:
        connection.execute("update observations set merged_into_project = 'x' where id = 1")
    connection.close()
    assert land_into(home, folder).new_records == 1
    assert len(payloads(home, OBSERVATIONS)) == 14


def test_a_broken_export_is_refused_whole(home: Path, folder: Path) -> None:
    text = '{"exportedAt":"t","totalObservations":1,"observations":[{"id":1},'
    write(folder / "torn.json", text, end="")
    write(folder / "odd.json", text + "1]}", end="")
    write(folder / "deep.json", text + "[" * 9999, end="")
    report = land_into(home, folder)
    assert (report.records, report.rejects) == (0, 3)


def test_rows_are_read_while_another_process_holds_the_database(home: Path, folder: Path) -> None:
    folder.mkdir()
    database = folder / "claude-mem.db"
    command = [sys.executable, "-c", WRITER, str(database), captures.SCHEMA]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None and writer.stdin is not None
        assert writer.stdout.readline() == "held\n"
        with sqlite3.connect(database, timeout=0) as blocked, pytest.raises(sqlite3.Error):
            blocked.execute("delete from observations")
        assert database.stat().st_size <= 4096, "the rows are in the -wal only"
        report = land_into(home, folder)
        writer.communicate("\n")
    titles = [json.loads(payload)["title"] for payload in payloads(home, OBSERVATIONS)]
    assert (titles, report.failed) == (["committed"], ())


def test_a_row_is_one_event_in_the_database_and_in_its_export(built_sources: Path) -> None:
    sightings = query(
        built_sources,
        "select source_entity, count(*), count(distinct event_id)"
        " from staging.stg_claude_mem__events where metadata like '%acme-web%'"
        " and source_entity <> 'pending_messages' group by all order by all",
    )
    assert sightings == [
        ("observations", 35, 18),
        ("sdk_sessions", 2, 1),
        ("session_summaries", 2, 1),
        ("user_prompts", 8, 4),
    ]


def test_an_observation_is_its_text_and_its_facts(built_sources: Path) -> None:
    told = events(
        built_sources, "native_id like '%-000000000001/1/%' and content not like 'Index%'"
    )
    assert told == [
        (
            "0",
            "observation",
            None,
            "Port moved\nThe service listens on 7443 since the gateway took 8080.",
        ),
        ("0.1", "observation", None, "A new port for the service"),
        ("1", "observation", None, "The port is set in config.toml"),
        ("2", "observation", None, "The gateway forwards to 7443"),
    ]
    plain = events(built_sources, "content in ('Login uses tokens', 'Tokens live for an hour')")
    assert [(part, text) for part, _, _, text in plain] == [
        ("0", "Login uses tokens"),
        ("1", "Tokens live for an hour"),
    ]


def test_rows_of_one_text_are_one_fact_and_rows_without_hash_are_not(built_sources: Path) -> None:
    facts = query(
        built_sources,
        "select text, capture_count from marts.facts where source_system = 'claude_mem'"
        " and (text like 'Index%' or text like 'Backups%') order by text",
    )
    assert facts == [
        ("Backups are kept for thirty days.", 1),
        ("Backups run at three in the morning.", 1),
        ("\n".join(captures.REBUILT), 7),
    ]


def test_a_number_that_another_database_gives_too_hides_nothing(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select distinct left(content, 13) from staging.stg_claude_mem__events where part = '0'"
        " and source_entity = 'observations' and split_part(native_id, '/', 2) = '1' order by 1",
    )
    assert rows == [("Index rebuilt",), ("Logs are writ",), ("Port moved\nTh",)]


def test_lifecycle_noise_is_refused_with_its_rule(built_sources: Path) -> None:
    refused = query(
        built_sources,
        "select text, rule_id from marts.rejections where source_system = 'claude_mem'"
        " and source_entity = 'observations' order by text",
    )
    assert refused == [
        ("", "empty_body"),
        ("Session started", "session_lifecycle"),
        ("User re-engaged with session after gap", "session_lifecycle"),
    ]


def test_the_hash_is_computed_anew(built_sources: Path) -> None:
    hashes = query(
        built_sources,
        "select distinct content, metadata ->> 'content_hash' from staging.stg_claude_mem__events"
        " where content like 'Index%' or content like 'Backups run%' order by all",
    )
    text = "\0".join([captures.MEMORY_SESSION, *captures.REBUILT])
    assert hashes == [
        ("Backups run at three in the morning.", None),
        ("\n".join(captures.REBUILT), hashlib.sha256(text.encode()).hexdigest()[:16]),
    ]


def test_an_old_database_is_read_by_the_columns_that_it_has(built_sources: Path) -> None:
    found = query(
        built_sources,
        "select content, session_id, occurred_at::varchar, metadata ->> 'project_name'"
        " from staging.stg_claude_mem__events where session_id = "
        f"'{captures.OLD_CLAUDE_SESSION}' order by occurred_at",
    )
    assert found == [
        ("Which log format do we use?", captures.OLD_CLAUDE_SESSION, "2025-10-09 08:53:20", None),
        (
            "Logs are written as JSON lines.",
            captures.OLD_CLAUDE_SESSION,
            "2025-10-09 08:54:00",
            None,
        ),
    ]


def test_the_server_schema_tells_its_kinds(built_sources: Path) -> None:
    assert [row[1:] for row in events(built_sources, "source_entity = 'memory_items'")] == [
        ("turn", "user", "How are invoices numbered?"),
        ("memory", None, "Invoices are numbered per year."),
        ("summary", None, "Looked into the invoice numbers."),
    ]


def test_a_summary_is_one_text_of_its_sections(built_sources: Path) -> None:
    assert events(built_sources, "event_kind = 'summary' and source_entity like 'session%'") == [
        (
            "0",
            "summary",
            None,
            "Request: Move the service\nLearned: The gateway holds 8080\n"
            "Next steps: Tell the other teams",
        )
    ]


def test_a_prompt_is_a_turn_that_hides_what_is_private(built_sources: Path) -> None:
    verdicts = query(
        built_sources,
        "select source_entity, relation, cover_rule, count(*) from marts.fact_sources"
        f" where session_id = '{SESSION}' and source_entity in ('user_prompts', 'sdk_sessions')"
        " group by all order by all",
    )
    assert verdicts == [
        ("sdk_sessions", "covered", "prompt that opened the session", 1),
        ("user_prompts", "covered", "prompt handed in again", 2),
        ("user_prompts", "first", None, 1),
        ("user_prompts", "repeat", None, 1),
    ]
    assert query(built_sources, "select count(*) from marts.facts where text like '%plum%'") == [
        (0,)
    ]


def test_a_message_of_three_hooks_is_one_capture_and_a_later_one_another(
    built_sources: Path,
) -> None:
    captured = query(
        built_sources,
        "select relation, cover_rule, session_id, dense_rank() over (order by capture_id)"
        " from marts.fact_sources inner join marts.facts using (fact_id)"
        " where text = 'Water the plants in the office' order by occurred_at",
    )
    first, later = captured[0][3], captured[3][3]
    assert first != later
    assert captured == [
        ("repeat", None, "agent:main:main", first),
        ("covered", "prompt handed in again", "agent:main:main", first),
        ("first", None, "chat-77", first),
        ("repeat", None, "agent:main:main", later),
    ]


def test_a_row_stuck_in_processing_is_pending_by_the_databases_own_clock(
    built_sources: Path,
) -> None:
    states = query(
        built_sources,
        "select distinct split_part(native_id, '/', 3), metadata ->> 'queue_status',"
        " metadata ->> 'healed_from' from staging.stg_claude_mem__events"
        " where source_entity = 'pending_messages' order by all",
    )
    assert states[1:] == [
        ("toolu_01", "pending", "processing"),
        ("toolu_02", "processing", None),
        ("toolu_03", "pending", "processing"),
        ("toolu_04", "processing", None),
        ("toolu_05", "pending", "processing"),
    ]
    assert states[0][1:] == ("pending", None)


def test_what_waits_is_tool_traffic_or_a_turn_and_tells_the_folder(built_sources: Path) -> None:
    waiting = events(built_sources, "source_entity = 'pending_messages'")
    assert [row[:3] for row in waiting] == [
        ("0", "tool_call", "assistant"),
        ("1", "tool_result", "tool"),
        ("2", "turn", "user"),
        ("3", "turn", "assistant"),
    ]
    projects = query(
        built_sources,
        "select distinct project_key from marts.fact_sources where source_system = 'claude_mem'"
        f" and session_id = '{SESSION}'",
    )
    assert projects == [("work/acme-web",)]


def test_a_merge_is_a_correction_of_the_project(built_sources: Path) -> None:
    changes = query(
        built_sources,
        "select kind, replacement_native_id, metadata ->> 'project_name', content"
        " from staging.stg_claude_mem__changes inner join (select distinct native_id, content from"
        " staging.stg_claude_mem__events where part = '0') on native_id = target_native_id",
    )
    assert changes == [("correct", None, "acme-web", "Login uses tokens")]


def test_the_hash_is_claude_mems_own(shared: Path) -> None:
    cases = json.loads((shared / "cases/claude_mem/content_hash.json").read_text())
    call = "claude_mem_hash(['session', 'title', 'narrative'])"
    connection = duckdb.connect()
    connection.execute("create table texts (session varchar, title varchar, narrative varchar)")
    for case in cases:
        given = [case["input"].get(key) for key in ("memory_session_id", "title", "narrative")]
        found = connection.execute(
            f"select {sql_of(call)} from"
            " (select ?::varchar as session, ?::varchar as title, ?::varchar as narrative)",
            given,
        ).fetchall()
        assert found == [(case["expected"],)], case["note"]
    assert len(cases) == 19
