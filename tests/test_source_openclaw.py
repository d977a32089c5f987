"""OpenClaw: files of both eras, hook events, and what staging makes of them together."""

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from captures import openclaw as captured
from command_line import run_models
from landing_home import append, land_into, payloads, query, write

from tamis.sources.openclaw import name_and_kind

ENTRIES = "openclaw__entries"
SESSION = "5a000000-0000-4000-8000-000000000009"
HEADER = json.dumps({"type": "session", "version": 3, "id": SESSION, "cwd": "/srv/none/kitchen"})


def message(identity: str) -> str:
    """A transcript line."""
    return captured.message(identity, "user", f"said {identity}", 1)


def new(home: Path, *paths: Path) -> dict[str, int]:
    """New records by source entity of one landing, without zeros."""
    report = land_into(home, *paths)
    assert report.failed == ()
    return {one.source_entity: one.new_records for one in report.entities if one.new_records}


def staged(home: Path, where: str) -> list[tuple[Any, ...]]:
    """Kind, role, content of staged events of OpenClaw, by time."""
    return query(
        home,
        "select event_kind, role, content from staging.stg_openclaw__events"
        f" where {where} order by occurred_at, source_entity",
    )


def test_everything_lands_once_wherever_it_is(home: Path, folder: Path, tmp_path: Path) -> None:
    captured.write(folder)
    expected = {
        ENTRIES: 4,
        "openclaw__session_files": 1,
        "openclaw__hook_events": 7,
        "openclaw__session_nodes": 3,
        "openclaw__session_windows": 1,
        "openclaw__transcript_events": 9,
        "openclaw__transcript_archives": 1,
        "openclaw__pending_inputs": 1,
        "openclaw__memory_origins": 1,
        "openclaw__session_tombstones": 1,
    }
    assert new(home, folder) == expected
    assert new(home, folder) == {}
    shutil.copytree(folder, tmp_path / "moved")
    (tmp_path / "moved/hooks.jsonl").rename(tmp_path / "moved/other name.jsonl")
    database = tmp_path / "moved/agents/main/agent/openclaw-agent.sqlite"
    database.rename(database.with_name("backup.db"))
    assert new(home, tmp_path / "moved") == {}


def test_the_usual_places_hold_the_databases(home: Path, tmp_path: Path) -> None:
    places = ["state", "user/.openclaw", "user/.clawdbot", "user/.moltbot"]
    for number, place in enumerate(places):
        database = tmp_path / place / f"agents/a{number}/agent/openclaw-agent.sqlite"
        captured.write_database(database)
    environ = {"HOME": str(tmp_path / "user"), "OPENCLAW_STATE_DIR": str(tmp_path / "state")}
    report = land_into(home, environ=environ)
    assert [one.files for one in report.entities if one.source_entity.endswith("nodes")] == [4]


def test_a_packed_row_is_unpacked_as_it_lands(home: Path, folder: Path) -> None:
    captured.write(folder)
    land_into(home, folder)
    rows = [json.loads(payload) for payload in payloads(home, "openclaw__transcript_events")]
    packed = [row["event_zstd"] for row in rows if row["event_json"] is None]
    assert packed == [captured.LATER]
    archive = json.loads(payloads(home, "openclaw__transcript_archives")[0])
    assert len(archive["archive_blob"].split("\n")) == 3


def test_a_changed_row_of_the_database_is_a_new_record(home: Path, folder: Path) -> None:
    captured.write(folder)
    land_into(home, folder)
    with sqlite3.connect(folder / "agents/main/agent/openclaw-agent.sqlite") as connection:
        connection.execute("update session_pending_inputs set state = 'cancelled'")
        connection.execute("delete from transcript_events where seq > 1")
    connection.close()
    assert new(home, folder) == {"openclaw__pending_inputs": 1}
    assert query(home, "select count(*) from raw.openclaw__transcript_events") == [(9,)]


@pytest.mark.parametrize(
    ("name", "session"),
    [
        (f"agent_main_main.{SESSION}.jsonl.imported-1780646900000", SESSION),
        (f"agent_main_main.{SESSION}.jsonl.imported-1780646900000.2", SESSION),
        (f"agent_main_x.{SESSION}-topic-7.jsonl.imported-1780646900000", SESSION),
    ],
)
def test_an_imported_transcript_keeps_its_session_and_agent(
    home: Path, folder: Path, name: str, session: str
) -> None:
    assert name_and_kind(Path(name)) == (session, "imported")
    path = folder / "agents/cook/session-sqlite-import-archive" / name
    write(path, message("aa000001"))
    land_into(home, folder)
    assert query(home, f"select container from raw.{ENTRIES}") == [(session,)]
    facts = json.loads(payloads(home, "openclaw__session_files")[0])
    assert (facts["agentId"], facts["kind"]) == ("cook", "imported")


def test_a_header_that_comes_late_doubles_nothing(home: Path, folder: Path, tmp_path: Path) -> None:
    path = write(folder / "s9.jsonl", message("aa000001"))
    assert new(home, folder) == {ENTRIES: 1, "openclaw__session_files": 1}
    append(path, HEADER + "\n" + message("aa000002") + "\n")
    assert new(home, folder) == {ENTRIES: 2}
    shutil.copytree(folder, tmp_path / "copy")
    assert new(home, tmp_path / "copy") == {}
    write(path, HEADER, message("aa000001"), message("aa000002"), message("aa000003"))
    os.utime(path, ns=(1, 1))
    assert new(home, folder) == {ENTRIES: 1}
    assert query(home, f"select distinct container from raw.{ENTRIES}") == [("s9",)]


def test_a_torn_header_is_waited_for(home: Path, folder: Path) -> None:
    path = write(folder / "agents/main/sessions/s9.jsonl", HEADER[:40], end="")
    assert new(home, folder) == {}
    append(path, HEADER[40:] + "\n" + message("aa000001") + "\n")
    assert new(home, folder) == {ENTRIES: 2, "openclaw__session_files": 1}
    assert query(home, f"select distinct container from raw.{ENTRIES}") == [(SESSION,)]


def test_lines_without_a_session_stay_where_they_were_when_one_turns_up(
    home: Path, folder: Path
) -> None:
    summary = '{"type":"summary","summary":"bread","leafUuid":"l"}'
    turn = '{"type":"user","sessionId":"s1","uuid":"u","message":{"role":"user","content":"hi"}}'
    path = write(folder / "named.jsonl", summary)
    assert new(home, folder) == {"claude_code__entries": 1}
    append(path, turn + "\n")
    assert new(home, folder) == {"claude_code__entries": 1}
    write(path, summary, turn, turn.replace("hi", "ho"))
    assert new(home, folder) == {"claude_code__entries": 1}
    containers = query(home, "select container from raw.claude_code__entries order by all")
    assert containers == [("named",), ("s1",), ("s1",)]


def test_both_eras_together_count_each_event_once(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select native_id, list(source_entity order by source_entity), count(distinct event_id)"
        " from staging.stg_openclaw__events where source_entity in ('entries',"
        " 'transcript_events', 'transcript_archives') group by 1 order by 1",
    )
    both = ["entries", "transcript_events"]
    assert rows == [
        ("aa000001", both, 1),
        ("aa000002", both, 1),
        ("aa000003", both, 1),
        ("aa000004", ["transcript_events"], 1),
        ("bb000001", ["transcript_events"], 1),
        ("cc000001", ["transcript_archives"], 1),
        ("dd000001", ["transcript_events"], 1),
    ]


def test_a_hook_and_its_transcript_are_two_captures_of_one_turn(built_sources: Path) -> None:
    rows = query(
        built_sources,
        """
        select bodies.body, count(*), count(distinct verdicts.capture_id)
        from intermediate.int_events_deduplicated as verdicts
        inner join intermediate.int_events_classified as classified using (event_id)
        inner join intermediate.int_events_redacted as bodies using (event_id)
        where classified.is_turn and classified.source_system = 'openclaw'
            and classified.session_id in ('agent:main:telegram:direct:7', ?)
        group by 1 order by 1
        """.replace("?", f"'{captured.MAIN}'"),
    )
    assert rows == [
        ("Only the hook heard of the cold cellar", 1, 1),
        ("The bread recipe needs 500 g of rye flour", 1, 1),
        ("The freezer holds eight loaves", 1, 1),
        ("The oven timer is set to 25 minutes", 2, 1),
        ("Timer noted: 25 minutes.", 2, 1),
    ]


def test_hooks_that_carry_no_turn_are_system_or_nothing(built_sources: Path) -> None:
    assert staged(built_sources, "source_entity = 'hook_events' and event_kind <> 'turn'") == [
        ("system", "assistant", "Timer noted: 25 minutes."),
        ("system", "system", "please buy rye flour"),
    ]
    ids = query(
        built_sources,
        "select metadata ->> '$.message_id' from staging.stg_openclaw__events"
        " where source_entity = 'hook_events' and event_kind = 'turn' order by occurred_at",
    )
    assert ids == [("501",), ("502",), (None,)]


def test_a_message_that_waits_is_no_turn(built_sources: Path) -> None:
    assert staged(built_sources, "source_entity = 'pending_inputs'") == [
        ("prompt", "user", "And remind me of the jam")
    ]


def test_the_last_line_of_an_archived_transcript_counts(built_sources: Path) -> None:
    assert staged(built_sources, f"session_id = '{captured.DELETED}'") == [
        ("turn", "user", "The cellar key hangs behind the blue door")
    ]


def test_a_prompt_in_an_envelope_is_a_machines_all_the_same(home: Path, folder: Path) -> None:
    """A session without a key, whose second prompt hides behind a time, or behind metadata."""
    sentinel = 'Sender (untrusted metadata):\n```json\n{"label": "x"}\n```\n\n'
    asked = {
        "cron": ["[cron:j1 patrol] Look around", "[Tue 2026-06-02 10:00 UTC] [System Message] ok"],
        "heartbeat": [f"{sentinel}Read HEARTBEAT.md if it exists."],
        "person": ["[cron:j1 patrol] Look around", "[Tue 2026-06-02 10:00 UTC] Which port?"],
    }
    for session, prompts in asked.items():
        lines = [
            captured.message(f"{session}{number}", "user", prompt, number)
            for number, prompt in enumerate(prompts)
        ]
        head = json.dumps({"type": "session", "version": 3, "id": session, "cwd": "/srv/none"})
        write(folder / f"agents/main/sessions/{session}.jsonl", head, *lines)
    land_into(home, folder)
    run_models(home, "stg_openclaw__sessions")
    found = query(
        home, "select session_id, trigger_kind from staging.stg_openclaw__sessions order by 1"
    )
    assert found == [("cron", "cron"), ("heartbeat", "heartbeat"), ("person", None)]


def test_sessions_have_their_keys_and_agents(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select session_key, agent_id, is_subagent, project_name, is_forgotten"
        " from staging.stg_openclaw__sessions where session_id like '6c%' order by session_id",
    )
    assert rows == [
        (captured.MAIN_KEY, "main", False, "kitchen", False),
        ("agent:main:main", "main", False, None, True),
        (captured.MAIN_KEY, "main", False, "kitchen", False),
        ("agent:main:acp:counter", "main", True, None, False),
    ]


def test_a_forgotten_session_gives_no_fact_and_is_retired(built_sources: Path) -> None:
    assert staged(built_sources, f"session_id = '{captured.FORGOTTEN}'") == [("turn", "user", None)]
    rules = query(
        built_sources,
        f"select rule_id from marts.rejections where session_id = '{captured.FORGOTTEN}'",
    )
    assert rules == [("erased_subject",)]
    changes = query(
        built_sources,
        "select target_native_id, kind, reason, actor, metadata ->> '$.session_id'"
        " from staging.stg_openclaw__changes where metadata ->> '$.session_id' is not null",
    )
    assert changes == [("bb000001", "retire", "asked to", "main", captured.FORGOTTEN)]


def test_what_a_machine_asked_for_lasts_until_the_next_prompt(home: Path, folder: Path) -> None:
    said = [
        ("user", "Which port?"),
        ("assistant", "Port 7443"),
        ("user", "Pre-compaction memory flush. Store what lasts now."),
        ("assistant", "Saved. NO_REPLY"),
        ("user", "[System Message] A node connected."),
        ("assistant", "Saved that as well."),
        ("user", "Read HEARTBEAT.md if it exists."),
        ("assistant", "The disk is at 91 %"),
        ("user", "[Tue 2026-06-02 10:00 UTC] A new session was started via /new or /reset. Greet."),
        ("assistant", "Hello, I am the kitchen's agent"),
        ("user", "[cron:j1 patrol] Look around"),
        ("assistant", "All ovens are off"),
        ("user", "[Tue 2026-06-02 10:00 UTC] Thank you, and the grill?"),
        ("assistant", "The grill is on"),
    ]
    lines = [captured.message(f"f{n:03d}", *words, n) for n, words in enumerate(said)]
    write(folder / f"agents/main/sessions/{SESSION}.jsonl", HEADER, *lines)
    land_into(home, folder)
    run_models(home, "+stg_openclaw__events")
    triggers = query(
        home,
        "select trigger_kind, event_kind, content from staging.stg_openclaw__events"
        " where role = 'assistant' order by occurred_at",
    )
    assert triggers == [
        (None, "turn", "Port 7443"),
        ("memory_flush", "system", "Saved. NO_REPLY"),
        ("memory_flush", "system", "Saved that as well."),
        (None, "turn", "The disk is at 91 %"),
        ("session_start", "system", "Hello, I am the kitchen's agent"),
        ("cron", "system", "All ovens are off"),
        (None, "turn", "The grill is on"),
    ]
