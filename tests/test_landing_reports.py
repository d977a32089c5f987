"""What users of memory systems reported about import, each by its number (BR…), end to end."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from command_line import run_tamis
from landing_home import CLAUDE, append, claude, kept, land_into, payloads, query, write

from tamis.errors import TamisError
from tamis.landing import sqlite_copy
from tamis.state import last_sightings, open_state
from tamis.warehouse import warehouse_path

FRAMES = "hive_mind__memory_frames"
TOKEN = "gh" + "p_NotARealTokenTamisTest01234567890123456"
# What templates, SQL, shells and replacement patterns would expand (BR26).
EXPANDABLE = [
    "the price was 32$` when we asked, and $' stayed",
    "replace with $& and $1 and $$ and \\1 and \\g<0>",
    "set ${HOME} and $(id) and `id` and %PATH% and %s and {0}",
    "{{ x }} and {{ env_var('HOME') }} and {% raw %} and {# note #} stay",
    "one lone backslash \\ and two \\\\ and C:\\temp\\new",
    "it's a 'quoted' \"text\"; drop table facts; -- and /* so on */",
]
# What a wrong encoding would damage (BR27).
TEXTS = [
    "测试中文记忆存储 stays as it is",
    "a family 👨\u200d👩\u200d👧\u200d👦 and a flag 🏴\U000e0067\U000e0062\U000e007f and ẞ",
    "the caf\u00e9 is composed",
    "the cafe\u0301 is composed",
    "Ελληνικά, עברית, हिन्दी and ไทย in one line",
]
# What was recalled stands before what is asked, and is recalled in its turn (BR08).
HEADING = "Relevant context recalled from previous sessions:"
MEMORIES = "- The mast light is red\n- The keel is made of oak"
RECALLED = [
    "The mast light is red",
    f"{HEADING}\n{MEMORIES}\n\nplease fix the login test",
    f"{HEADING}\n- {HEADING}\n{MEMORIES}\n\nplease fix the login test",
    f"{HEADING}\n{MEMORIES}\n\n{HEADING}\n- {HEADING}\n{MEMORIES}\n\nplease fix the login test",
]
PLAIN_C = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def turn(number: int, text: str, session: str = "reports") -> str:
    """One Claude Code line as its writer writes it, with text in UTF-8."""
    line = {
        "type": "user",
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "sessionId": session,
        "cwd": "/home/u/work/reports",
        "timestamp": f"2026-05-01T10:{number % 60:02}:00Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps(line, ensure_ascii=False)


@dataclass(frozen=True)
class Line:
    """What went through the whole line, in a locale that knows only ASCII."""

    home: Path
    folder: Path
    lines: list[str]

    def facts(self) -> list[str]:
        build = (self.home / "published" / "CURRENT").read_text().strip()
        found = pl.read_parquet(self.home / "published" / build / "facts.parquet")
        return found["text"].to_list()


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Line:
    place = tmp_path_factory.mktemp("reports")
    folder, home = place / "captures", place / "home"
    lines = [turn(number, text) for number, text in enumerate(EXPANDABLE + TEXTS)]
    lines += [turn(number, text) for number, text in enumerate(RECALLED, start=20)]
    lines.append(turn(50, f"the token {TOKEN} costs $& and \\1 and {{{{ x }}}}"))
    lines.append(turn(51, "half a pair HERE stays").replace("HERE", "\\ud83d"))
    folder.mkdir()
    (folder / "windows.jsonl").write_bytes(("\ufeff" + "\r\n".join(lines) + "\r\n").encode())
    grown = write(folder / "grown.jsonl", turn(60, "we use port 9090", "grown"))
    land_into(home, folder)
    keeping_its_time(grown, grown.read_text() + turn(61, "and port 9091", "grown") + "\n")
    land_into(home, folder)
    keeping_its_time(grown, grown.read_text().replace("port 9090", "port 7000"))
    land_into(home, folder)
    done = run_tamis("--home", home, "run", "--from", folder, env={**os.environ, **PLAIN_C})
    assert done.returncode == 0, done.stderr
    return Line(home, folder, lines)


def keeping_its_time(path: Path, text: str) -> None:
    """Write a file anew so that its modification time tells nothing."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_br08_what_was_recalled_is_neither_stored_nor_counted_again(line: Line) -> None:
    counted = query(
        line.home,
        "select text, capture_count from marts.facts where text like '%login test%'"
        " or text like '%mast light%' or text like '%keel%' order by text",
    )
    assert counted == [("The mast light is red", 1), ("please fix the login test", 3)]


def test_br26_nothing_is_expanded_between_file_and_fact(line: Line) -> None:
    facts = line.facts()
    assert [text for text in EXPANDABLE if text not in facts] == []
    masked = [text for text in facts if text.endswith("costs $& and \\1 and {{ x }}")]
    assert len(masked) == 1
    assert masked[0].startswith("the token [REDACTED:")
    assert TOKEN not in "".join(facts)


def test_br27_text_is_the_same_in_any_locale_and_raw_keeps_its_bytes(line: Line) -> None:
    facts = [text.encode() for text in line.facts()]
    assert [text for text in TEXTS if facts.count(text.encode()) != 1] == []
    assert "half a pair \ufffd stays".encode() in facts
    rows = query(line.home, f"select payload from raw.{CLAUDE} where container = 'reports'")
    assert sorted(payload for (payload,) in rows) == sorted(line.lines)


def test_br27_the_terminal_gets_utf8_whatever_its_locale(line: Line) -> None:
    environ = {**os.environ, **PLAIN_C}
    for options in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "tamis", "--home", line.home, *options, "recall", "composed"],
            capture_output=True,
            env=environ,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert "caf\u00e9 is composed" in done.stdout.decode()


@pytest.mark.parametrize("torn", ['{"type":"user","mess', '{"type":"us' + claude("glued to it")])
def test_br31_a_torn_line_in_the_middle_costs_only_itself(
    home: Path, folder: Path, torn: str
) -> None:
    good = [claude(f"line {number}") for number in range(14)]
    path = write(folder / "a.jsonl", *good[:7], torn, *good[7:])
    report = land_into(home, folder)
    assert (report.records, report.rejects) == (14, 1)
    assert payloads(home) == sorted(good)
    rows = query(home, "select origin, position, reason, bytes from raw.rejects")
    position = path.read_bytes().index(b"\n" + torn.encode()) + 1
    assert rows == [(str(path), position, "unparsable JSON", torn.encode())]
    done = run_tamis("--home", home, "status")
    assert "1 lines could not be read" in done.stdout
    assert str(path) in run_tamis("--home", home, "doctor").stdout


def test_br33_changes_behind_an_old_time_are_noticed(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("port 9090"), claude("second"))
    assert land_into(home, folder).new_records == 2
    more = "".join(claude(f"more {number}") + "\n" for number in range(3))
    keeping_its_time(path, path.read_text() + more)
    assert land_into(home, folder).new_records == 3
    keeping_its_time(path, path.read_text().replace("port 9090", "port 7000"))
    assert land_into(home, folder).new_records == 1
    assert land_into(home, folder).records == 0


def test_br33_an_edited_line_is_one_event_with_its_newest_text(line: Line) -> None:
    assert query(
        line.home,
        f"select count(*) from raw.{CLAUDE} where contains(payload, '0000003c-0000-4000-8000-')",
    ) == [(2,)]
    facts = line.facts()
    assert ("we use port 7000" in facts, "we use port 9090" in facts) == (True, False)
    assert "and port 9091" in facts


def test_br34_what_was_published_and_copies_of_captures_land_nothing(
    line: Line, tmp_path: Path
) -> None:
    home = shutil.copytree(line.home, tmp_path / "home")
    before = kept(home)
    report = land_into(home, home / "published")
    assert (report.records, report.new_records, report.failed) == (0, 0, ())
    copy = Path(shutil.copytree(line.folder, tmp_path / "elsewhere"))
    shutil.copy(copy / "windows.jsonl", copy / "again.jsonl")
    assert land_into(home, copy).new_records == 0
    assert kept(home) == before
    with open_state(home) as ledger:
        paths = {Path(row["path"]) for row in last_sightings(ledger)}
    assert paths >= {copy / "windows.jsonl", copy / "again.jsonl", line.folder / "windows.jsonl"}


@contextmanager
def other_process(code: str, *arguments: object) -> Iterator[None]:
    """A second process that has said it is ready, until it is killed."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        try:
            yield
        finally:
            other.kill()


HOLD_MIND = """
import sqlite3, sys, time
mind = sqlite3.connect(sys.argv[1], isolation_level=None)
mind.execute(f"pragma journal_mode = {sys.argv[2]}")
mind.execute("pragma wal_autocheckpoint = 0")
mind.execute("create table memory_frames (id integer primary key, content text)")
mind.execute("insert into memory_frames (content) values ('committed')")
mind.execute("begin exclusive")
mind.execute("insert into memory_frames (content) values ('not committed')")
print("held", flush=True)
time.sleep(120)
"""
HOLD_WAREHOUSE = """
import duckdb, sys, time
kept = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(120)
"""


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_br37_a_database_that_its_owner_has_locked_is_read(
    home: Path, folder: Path, mode: str
) -> None:
    folder.mkdir()
    with other_process(HOLD_MIND, folder / "workspace.mind", mode):
        report = land_into(home, folder)
    assert (report.new_records, report.failed) == (1, ())
    assert [json.loads(text)["content"] for text in payloads(home, FRAMES)] == ["committed"]


def test_br37_a_warehouse_that_another_holds_is_one_line_and_half_lands_nothing(
    home: Path, folder: Path
) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    append(path, claude("second") + "\n")
    with (
        other_process(HOLD_WAREHOUSE, warehouse_path(home)),
        pytest.raises(TamisError, match="another process holds") as caught,
    ):
        land_into(home, folder)
    assert (caught.value.exit_code, "\n" in str(caught.value)) == (3, False)
    assert land_into(home, folder).new_records == 1
    assert payloads(home) == sorted([claude("first"), claude("second")])


@pytest.mark.parametrize(("busy_tries", "lands"), [(2, True), (sqlite_copy.TRIES, False)])
def test_br37_a_database_that_changes_while_it_is_copied_is_tried_again_then_reported(
    home: Path, folder: Path, busy_tries: int, lands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(folder / "a.jsonl", claude("first")).with_name("workspace.mind")
    mind = sqlite3.connect(path)
    mind.execute("create table memory_frames (id integer primary key, content text)")
    mind.execute("insert into memory_frames (content) values ('one')")
    mind.commit()
    mind.close()
    copied: list[int] = []

    def copy_parts(database: Path, place: Path) -> Path:
        copied.append(1)
        if len(copied) <= busy_tries:
            os.utime(database, ns=(len(copied), len(copied)))
        return unhindered(database, place)

    unhindered = sqlite_copy.copy_parts
    monkeypatch.setattr(sqlite_copy, "copy_parts", copy_parts)
    monkeypatch.setattr(sqlite_copy, "PAUSE_SECONDS", 0)
    report = land_into(home, folder)
    assert payloads(home) == [claude("first")]
    assert len(payloads(home, FRAMES)) == (1 if lands else 0)
    reasons = [] if lands else ["it changes all the time: land again when its owner is idle"]
    assert [reason for _, reason in report.failed] == reasons
    monkeypatch.undo()
    assert land_into(home, folder).new_records == (0 if lands else 1)


def test_br39_a_moved_database_is_the_same_memory_and_an_edit_its_next_version(
    home: Path, folder: Path
) -> None:
    path = folder / "notes/workspace.mind"
    path.parent.mkdir(parents=True)
    mind = sqlite3.connect(path)
    mind.execute("create table memory_frames (id integer primary key, content text)")
    mind.execute("insert into memory_frames (content) values ('we meet on Monday')")
    mind.commit()
    mind.close()
    assert land_into(home, folder).new_records == 1
    (folder / "archive").mkdir()
    moved = path.rename(folder / "archive/workspace.mind")
    assert land_into(home, folder).new_records == 0
    mind = sqlite3.connect(moved)
    mind.execute("update memory_frames set content = 'we meet on Tuesday'")
    mind.commit()
    mind.close()
    assert land_into(home, folder).new_records == 1
    assert query(home, f"select distinct container from raw.{FRAMES}") == [("memory_frames/1",)]
    with open_state(home) as ledger:
        assert {Path(row["path"]) for row in last_sightings(ledger)} == {path, moved}


def test_a_first_line_beyond_all_reason_is_known_by_its_place_or_told_of(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.landing.find.HEAD_BYTES", 1 << 10)
    monkeypatch.setattr("tamis.landing.find.LONGEST_HEAD_BYTES", 1 << 20)
    text = claude("x" * (2 << 20))
    name = "5a000000-0000-4000-8000-000000000001.jsonl"
    write(folder / "projects/-x" / name, text, claude("after"))
    elsewhere = write(folder / "elsewhere.jsonl", text)
    report = land_into(home, folder)
    assert report.new_records == 2
    reason = "no source recognises it: its first line is longer than 1 MB"
    assert report.skipped == ((str(elsewhere), reason),)
