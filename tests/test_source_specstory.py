"""SpecStory: its histories, section by section, and turns that another system captured too."""

import json
import os
from pathlib import Path

import pytest
from captures.specstory import (
    ANSWERED,
    ASKED,
    EDITOR_SESSION,
    HEAD,
    SESSION,
    TIMED,
    UNTIMED,
    write,
)
from landing_home import land_into, payloads, query

from tamis.sources.source import Skip
from tamis.sources.specstory import HISTORY, project_folder, recognise, sections

SECTIONS = "specstory__sections"


def texts(text: str) -> list[str]:
    """What follows the markers of a history's sections."""
    records = sections(Path("/srv/bindery/.specstory/history/x.md"), text)
    return [json.loads(record.payload)["text"] for record in records]


def put(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("path", "head", "answer"),
    [
        ("/srv/x/any.md", HEAD, HISTORY),
        ("/srv/x/any.txt", HEAD, None),
        ("/srv/x/notes.md", "# Notes", None),
    ],
)
def test_a_history_says_who_made_it(path: str, head: str, answer: object) -> None:
    assert recognise(Path(path), head.encode()) is answer


def test_a_stray_file_of_its_folder_is_left_alone() -> None:
    stray = Path("/srv/x/.specstory/history/untitled-1.md")
    assert isinstance(recognise(stray, b"## Notes\n"), Skip)


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/srv/bindery/.specstory/history/x.md", "bindery"),
        ("/srv/bindery/.specstory/history/2026/05/x.md", "bindery"),
        ("/srv/exports/x.md", "exports"),
    ],
)
def test_a_history_belongs_to_the_folder_around_it(path: str, folder: str) -> None:
    assert project_folder(Path(path)) == folder


def test_quoted_markers_begin_no_section() -> None:
    assert [text.splitlines()[0] for text in texts(TIMED)] == [
        "_**User (2026-05-04 09:00:00Z)**_",
        "_**Agent (example-1 2026-05-04 09:00:05Z)**_",
        "_**Agent - sidechain (2026-05-04T09:00:20.500Z)**_",
        "_**Agent (example-1 2026-05-04 09:01:00Z)**_",
    ]


def test_a_tool_block_that_is_never_closed_swallows_no_section() -> None:
    torn = TIMED.replace("</details></tool-use>", "").replace("</tool-use>", "")
    markers = [text.splitlines()[0] for text in texts(torn)]
    assert markers[-1] == "_**Agent (example-1 2026-05-04 09:01:00Z)**_"
    assert len(markers) == 5


def test_a_session_that_grew_gives_its_new_sections_only(home: Path, folder: Path) -> None:
    file = put(folder / "bindery/.specstory/history/a.md", TIMED)
    assert land_into(home, file).new_records == 4
    put(file, TIMED + "\n_**User (2026-05-04 09:02:00Z)**_\n\nOrder ten reams\n\n---\n")
    assert land_into(home, file).new_records == 1
    assert query(home, f"select distinct container from raw.{SECTIONS}") == [(SESSION,)]


def test_a_copy_lands_nothing_and_equal_sections_stay_two(home: Path, folder: Path) -> None:
    put(folder / "one/.specstory/history/a.md", UNTIMED)
    assert land_into(home, folder).new_records == 3
    put(folder / "copies/one/.specstory/history/b.md", UNTIMED)
    assert land_into(home, folder).new_records == 0
    numbers = [json.loads(payload).get("number") for payload in payloads(home, SECTIONS)]
    assert sorted(numbers, key=str) == [2, None, None]


def test_a_session_without_an_id_is_named_by_its_file(home: Path, folder: Path) -> None:
    put(folder / "one/.specstory/history/a.md", HEAD + "_**User**_\n\nhello there\n")
    land_into(home, folder)
    assert query(home, f"select container from raw.{SECTIONS}") == [("one/a",)]


def test_sections_are_taken_apart(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select session_id, occurred_at::varchar, part::int, role, event_kind, left(content, 40),"
        " metadata->>'is_subagent' from staging.stg_specstory__events order by all",
    )
    nine, ten = "2026-05-04 09:0", "2026-05-04 10:00:00"
    tool = '<tool-use data-tool-type="read" data-too'
    thought = "<think><details><summary>Thought Process"
    note = (EDITOR_SESSION, ten, 1, "assistant", "turn", "I note the paste.", None)
    assert rows == [
        (SESSION, nine + "0:00", 1, "user", "turn", ASKED, None),
        (SESSION, nine + "0:05", 2, "reasoning", "system", thought, None),
        (SESSION, nine + "0:05", 3, "assistant", "turn", "I read the stock list first.", None),
        (SESSION, nine + "0:05", 4, "assistant", "tool_call", tool, None),
        (SESSION, nine + "0:20.5", 1, "assistant", "turn", "Count the sheets in the store", "true"),
        (SESSION, nine + "1:00", 1, "assistant", "turn", ANSWERED[:40], None),
        note,
        note,
        (EDITOR_SESSION, ten, 1, "user", "turn", "Glue the spine with wheat paste", None),
    ]


def test_a_turn_that_claude_code_kept_too_is_one_fact(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select text, source_systems, capture_count::int, project_key from marts.facts"
        f" where text in ('{ASKED}', '{ANSWERED}') order by all",
    )
    both = ["claude_code", "specstory"]
    assert rows == [(ANSWERED, both, 2, "srv/bindery"), (ASKED, both, 2, "srv/bindery")]


def test_what_a_subagent_said_is_no_fact(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select rule_id, count(*)::int from marts.rejections where source_system = 'specstory'"
        " group by 1 order by 1",
    )
    assert ("subagent_session", 1) in rows


def test_captures_land_twice_as_nothing(home: Path, folder: Path) -> None:
    write(folder)
    assert land_into(home, folder / "bindery").new_records == 7
    assert land_into(home, folder / "bindery").new_records == 0


def test_real_histories_land_without_a_refusal(home: Path, shared: Path) -> None:
    report = land_into(home, shared / "real/specstory")
    assert (report.files, report.rejects, report.failed) == (15, 0, ())
    assert [Path(path).name for path, _ in report.skipped] == ["untitled-1.md"]


def test_a_folder_whose_name_is_no_utf8_is_no_hindrance(home: Path, folder: Path) -> None:
    odd = folder / os.fsdecode(b"bind\xe9ry")
    put(odd / ".specstory/history/a.md", HEAD + "_**User**_\n\nhello there\n")
    put(odd / ".aider.chat.history.md", "\n# aider chat started at 2026-05-04 09:00:00\n")
    put(odd / "memory.jsonl", '{"type":"entity","name":"a","entityType":"b","observations":[]}\n')
    report = land_into(home, folder)
    assert (report.new_records, report.failed) == (4, ())
    assert query(home, f"select container from raw.{SECTIONS}") == [("bind\\xe9ry/a",)]
