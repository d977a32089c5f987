"""Upstream's own cases of what landing and staging read, replayed through tamis's code and SQL."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest
from command_line import run_models
from landing_home import land_into, query
from test_macros import over, sql_of

from tamis.sources.openclaw import TRANSCRIPT, name_and_kind, recognise
from tamis.sources.source import Skip

# Where tamis means to answer otherwise than upstream: {(table, input): (its answer, why)}.
OTHER_ANSWERS: dict[tuple[str, Any], tuple[Any, str]] = {
    (
        "openclaw/session_artifact_names",
        "abc.checkpoint.11111111-1111-4111-8111-111111111111.jsonl"
        ".deleted.2026-01-01T00-00-00.000Z",
    ): ({"checkpoint": True}, "a deleted checkpoint still repeats its session's lines"),
    ("openclaw/session_key_parse", "subagent:worker"): (
        {"agent": None, "trigger": "subagent"},
        "older versions wrote keys without an agent, and a subagent's words are not the user's",
    ),
    ("openclaw/session_key_parse", "hook:abc"): (
        {"agent": None, "trigger": "hook"},
        "nobody spoke in a session that a hook started, whatever the key leaves out",
    ),
    ("openclaw/session_key_parse", "AGENT:Main:Hook:Webhook:42"): (
        {"agent": "main", "trigger": "hook"},
        "upstream has no flag for hooks",
    ),
    ("claude_mem/parse_file_list", '{"a":1}'): (
        ['{"a":1}'],
        "what upstream turns into [object Object] keeps its text",
    ),
    ("claude_mem/stale_processing_reset", "claim-time self-heal, oldest id first"): (
        "processing",
        "tamis claims no work: only what is stuck for five minutes is healed",
    ),
    (
        "claude_mem/stale_processing_reset",
        "NULL start time never compares as older, so such a row stays stuck",
    ): ("pending", "without a start its creation counts, so that nothing waits for ever"),
}

# Cases that ask for what tamis does not do: {(table, what it says): why}.
LEFT_OUT = {
    (
        "openclaw/session_artifact_names",
        "archive time of abc.jsonl.deleted.2026-02-23T12-34-56.000Z for reason deleted",
    ): "times come from the lines, never from a file's name",
    (
        "openclaw/session_artifact_names",
        "archive time of abc.jsonl.deleted.2026-02-23T12-34-56.000Z for reason reset",
    ): "times come from the lines, never from a file's name",
    ("claude_mem/stale_processing_reset", "empty queue"): "no row, nothing to stage",
    (
        "claude_mem/stale_processing_reset",
        "5-minute reset removed 2026-04-25 (94d592f21); whole durable queue removed 2026-05-28"
        " (61fe70a20); head keeps the work in RAM only",
    ): "tells history, states no input",
}
QUEUE = "stg_claude_mem__queued_messages"
HEADER = b'{"type":"session","version":3,"id":"abc","cwd":"/work/demo"}\n'


def cases(shared: Path, table: str) -> list[dict[str, Any]]:
    """The cases of a table that tamis answers."""
    found: list[dict[str, Any]] = json.loads(
        (shared / "cases" / f"{table}.json").read_text(encoding="utf-8")
    )
    return [
        case
        for case in found
        if (table, case["note"]) not in LEFT_OUT
        and (isinstance(case["input"], dict) or (table, case["input"]) not in LEFT_OUT)
    ]


def wanted(table: str, about: Any, answer: Any) -> Any:
    """What tamis should answer: upstream's answer, or the better one."""
    if (table, about) not in OTHER_ANSWERS:
        return answer
    better, reason = OTHER_ANSWERS[table, about]
    assert better != answer, reason
    return better


def test_file_names_of_openclaw_say_what_a_file_is(shared: Path) -> None:
    table = "openclaw/session_artifact_names"
    for case in cases(shared, table):
        answer = recognise(Path("agents/main/sessions") / case["input"], HEADER)
        session, kind = name_and_kind(Path(case["input"]))
        is_backup = isinstance(answer, Skip) and "backup" in answer.reason
        is_read = answer is TRANSCRIPT
        said = {
            "primary": is_read and kind == "primary",
            "archive": is_backup or (is_read and kind in ("reset", "deleted")),
            "usage_counted": is_read,
            "session_id": session if is_read else None,
            "checkpoint": kind == "checkpoint",
            "trajectory": isinstance(answer, Skip) and "trajectory" in answer.reason,
        }
        asked = wanted(table, case["input"], case["expected"])
        assert {name: said[name] for name in asked} == asked, case["input"]


def trigger_of(kind: dict[str, Any] | None) -> str | None:
    """What started a session, by upstream's flags."""
    flags = kind or {}
    return next(
        (
            name
            for name, is_set in (
                ("cron", flags.get("is_cron")),
                ("heartbeat", flags.get("is_heartbeat")),
                ("subagent", flags.get("subagent_depth")),
            )
            if is_set
        ),
        None,
    )


def test_a_session_key_names_its_agent_and_what_started_it(shared: Path) -> None:
    table = "openclaw/session_key_parse"
    found = cases(shared, table)
    keys = [case["input"] for case in found]
    agents = over("session_agent('text')", keys)
    triggers = over("trigger_kind('text')", keys)
    for case, agent, trigger in zip(found, agents, triggers, strict=True):
        parsed = case["expected"]["parsed"] or {}
        upstream = {
            "agent": parsed.get("agent_id"),
            "trigger": trigger_of(case["expected"]["kind"]),
        }
        asked = wanted(table, case["input"], upstream)
        assert {"agent": agent, "trigger": trigger} == asked, case["input"]


def test_only_a_whole_key_names_an_agent(shared: Path) -> None:
    found = cases(shared, "openclaw/session_key_classify")
    agents = over("session_agent('text')", [case["input"] for case in found])
    assert [agent is not None for agent in agents] == [
        case["expected"] == "agent" for case in found
    ]


def test_a_list_column_of_claude_mem_holds_what_upstream_reads(shared: Path) -> None:
    table = "claude_mem/parse_file_list"
    found = cases(shared, table)
    columns = [None if case["input"] is None else json.dumps(case["input"]) for case in found]
    text = sql_of("json_string('item', '$')")
    items = sql_of("claude_mem_items('text::json')")
    connection = duckdb.connect()
    for case, column in zip(found, columns, strict=True):
        answer = connection.execute(
            f"select list_transform({items}, lambda item: {text}) from (select ?::varchar as text)",
            [column],
        ).fetchall()[0][0]
        # A statement without text is none.
        kept = [item for item in answer if item]
        assert kept == wanted(table, case["input"], case["expected"]), case["input"]


def test_a_stored_hash_counts_only_where_it_is_todays(shared: Path) -> None:
    connection = duckdb.connect()
    call = sql_of("claude_mem_hash(['session', 'title', 'narrative'])")
    for case in cases(shared, "claude_mem/content_hash_generations"):
        given = [case["input"][key] for key in ("memory_session_id", "title", "narrative")]
        found = connection.execute(
            f"select {call} from"
            " (select ?::varchar as session, ?::varchar as title, ?::varchar as narrative)",
            given,
        ).fetchall()[0][0]
        is_todays = case["expected"] == "nul_separated"
        assert (found == case["input"]["content_hash"]) is is_todays, case["note"]


def queue(path: Path, rows: list[dict[str, Any]]) -> None:
    """A claude-mem database with these rows in its queue."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = (
        *("id", "session_db_id", "content_session_id", "tool_use_id", "message_type"),
        *("tool_name", "tool_input", "status", "created_at_epoch", "started_processing_at_epoch"),
    )
    with sqlite3.connect(path) as connection:
        connection.execute("create table schema_versions (version integer)")
        connection.execute(
            "create table sdk_sessions (id integer, content_session_id text,"
            " memory_session_id text, project text, started_at_epoch integer)"
        )
        connection.execute(
            "create table observations (id integer, memory_session_id text, title text)"
        )
        connection.execute(f"create table pending_messages ({', '.join(names)})")
        for row in rows:
            connection.execute(
                f"insert into pending_messages values ({', '.join('?' * len(names))})",
                [row.get(name) for name in names],
            )
    connection.close()


@pytest.fixture(scope="module")
def queues(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """A home with the queues of both tables, staged: one database for each question."""
    home = tmp_path_factory.mktemp("queues") / "home"
    last_write = 1_780_000_000_000
    common = {"message_type": "observation", "tool_name": "Read", "tool_input": "{}"}
    (repeats,) = cases(shared, "claude_mem/pending_messages_dedup")
    rows = [
        {**common, **row, "content_session_id": f"repeats-{row['session_db_id']}"}
        for row in repeats["input"]["rows"]
    ]
    queue(home.parent / "repeats" / "claude-mem.db", rows)
    for number, case in enumerate(cases(shared, "claude_mem/stale_processing_reset")):
        age = case["input"].get("started_processing_age_ms")
        row = {
            **common,
            "id": 1,
            "content_session_id": f"stale-{number}",
            "status": case["input"]["status"],
            "created_at_epoch": last_write - 3_600_000,
            "started_processing_at_epoch": None if age is None else last_write - age,
        }
        file = home.parent / f"stale-{number}" / "claude-mem.db"
        queue(file, [row])
        os.utime(file, (last_write / 1000, last_write / 1000))
    report = land_into(home, home.parent)
    assert report.failed == ()
    run_models(home, QUEUE)
    return home


def test_a_queue_is_counted_once_a_tool_use(queues: Path, shared: Path) -> None:
    (case,) = cases(shared, "claude_mem/pending_messages_dedup")
    staged = query(
        queues,
        "select count(*)::int, count(distinct native_id)::int"
        f" from staging.{QUEUE} where session_id like 'repeats-%'",
    )
    # Every row is a sighting; upstream deletes what tamis only groups.
    assert staged == [(len(case["input"]["rows"]), len(case["expected"]["surviving_ids"]))]


def test_work_that_is_stuck_waits_again(queues: Path, shared: Path) -> None:
    table = "claude_mem/stale_processing_reset"
    staged = dict(
        query(
            queues,
            "select session_id, details ->> 'queue_status'"
            f" from staging.{QUEUE} where session_id like 'stale-%'",
        )
    )
    for number, case in enumerate(cases(shared, table)):
        asked = wanted(table, case["note"], case["expected"])
        assert staged[f"stale-{number}"] == asked, case["note"]


def test_every_exception_is_a_case(shared: Path) -> None:
    for table, about in [*OTHER_ANSWERS, *LEFT_OUT]:
        found = json.loads((shared / "cases" / f"{table}.json").read_text(encoding="utf-8"))
        assert [about in (case["note"], case["input"]) for case in found].count(True) == 1, about
