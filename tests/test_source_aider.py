"""aider: its chat history, chat by chat, and who says what in a chat."""

import json
from pathlib import Path

import pytest
from captures.aider import ANSWER, FIRST, NAME, SECOND, write
from landing_home import land_into, payloads, query

from tamis.sources.aider import HISTORY_FILE, recognise
from tamis.sources.source import Skip

CHATS = "aider__chats"


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


@pytest.mark.parametrize(
    ("name", "head", "answer"),
    [
        (NAME, b"", HISTORY_FILE),
        ("old.md", b"\n# aider chat started at 2026", HISTORY_FILE),
        ("old.txt", b"\n# aider chat started at 2026", None),
        ("notes.md", b"# Notes\n\n# aider chat started at 2026", None),
    ],
)
def test_a_history_is_known_by_its_name_or_its_head(name: str, head: bytes, answer: object) -> None:
    assert recognise(Path("x") / name, head) is answer


def test_files_that_repeat_the_history_are_left_alone() -> None:
    assert isinstance(recognise(Path("x/.aider.input.history"), b"# 2026"), Skip)
    assert isinstance(recognise(Path("x/.aider.llm.history"), b"TO LLM"), Skip)


def test_a_history_that_grows_lands_only_the_chats_that_grew(home: Path, folder: Path) -> None:
    file = put(folder / "pottery" / NAME, FIRST)
    assert land_into(home, file).new_records == 1
    put(file, FIRST + SECOND)
    assert land_into(home, file).new_records == 1
    put(file, FIRST + SECOND + ANSWER)
    assert land_into(home, file).new_records == 1
    containers = query(home, f"select container, count(*) from raw.{CHATS} group by 1 order by 1")
    assert containers == [("pottery/2026-05-04 09:00:00", 1), ("pottery/2026-05-05 10:00:00", 2)]


def test_a_moved_or_copied_history_lands_nothing(home: Path, folder: Path) -> None:
    write(folder)
    assert land_into(home, folder).new_records == 3
    (folder / "after").rename(folder / "moved")
    assert land_into(home, folder).new_records == 0


def test_nothing_of_an_odd_history_is_lost(home: Path, folder: Path) -> None:
    text = "a line before\n" + SECOND + SECOND
    put(folder / "pottery" / NAME, text.replace("\n", "\r\n"))
    land_into(home, folder)
    chats = [json.loads(payload) for payload in payloads(home, CHATS)]
    assert sorted(chat["started"] for chat in chats) == ["", *["2026-05-05 10:00:00"] * 2]
    assert sum(chat["text"].count("####") for chat in chats) == 4


def test_speakers_are_told_apart(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select distinct session_id, part::int as part, role, event_kind, content"
        " from staging.stg_aider__events order by all",
    )
    first, second = "pottery/2026-05-04 09:00:00", "pottery/2026-05-05 10:00:00"
    answer = (
        "The kiln is cold for two reasons:\n\n#### Fuel\n\n> The wood is wet, says the log.\n\n"
        "```text\n>>>>>>> REPLACE\n```"
    )
    beech = "Use dry beech from now on"
    assert rows == [
        (first, 1, "tool", "tool_result", "/usr/bin/aider --model example\nAider v0.86.1"),
        (first, 2, "user", "turn", "Why is the kiln cold?\nIt was lit at noon."),
        (first, 3, "assistant", "turn", answer),
        (first, 4, "tool", "tool_result", "Tokens: 3.2k sent, 21 received."),
        (first, 5, "user", "turn", "/add src/kiln.py"),
        (first, 6, "tool", "tool_result", "Added src/kiln.py to the chat"),
        (first, 7, "user", "turn", beech),
        (first, 8, "user", "turn", beech),
        (first, 9, "tool", "tool_result", "^C again to exit"),
        (second, 1, "user", "turn", "<blank>"),
        (second, 2, "user", "turn", "Which glaze is free of lead?"),
        (second, 3, "assistant", "turn", "The ash glaze is free of lead."),
        (second, 4, "tool", "tool_result", "Tokens: 1k sent."),
    ]


def test_a_chat_that_grew_repeats_none_of_its_events(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select count(*)::int, count(distinct event_id)::int, count(distinct part)::int"
        " from staging.stg_aider__events where session_id = 'pottery/2026-05-05 10:00:00'",
    )
    assert rows == [(6, 4, 4)]


def test_what_was_said_becomes_facts_once(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select facts.text, facts.t_valid::varchar from marts.facts as facts"
        " where source_system = 'aider' and length(facts.text) < 80 order by all",
    )
    assert rows == [
        ("The ash glaze is free of lead.", "2026-05-05 10:00:00"),
        ("Use dry beech from now on", "2026-05-04 09:00:00"),
        ("Which glaze is free of lead?", "2026-05-05 10:00:00"),
        ("Why is the kiln cold?\nIt was lit at noon.", "2026-05-04 09:00:00"),
    ]
    refused = query(
        built_sources,
        "select rule_id, count(*)::int from marts.rejections where source_system = 'aider'"
        " group by 1 order by 1",
    )
    assert refused == [("aider_blank_input", 1), ("aider_command", 1), ("tool_result", 5)]


def test_real_histories_land_without_a_refusal(home: Path, shared: Path) -> None:
    report = land_into(home, shared / "real/aider")
    assert (report.files, report.rejects, report.skipped, report.failed) == (4, 0, (), ())
