"""Upstream's own cases of what landing and staging read, replayed through tamis's code and SQL."""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
from test_macros import after, over, sql_of

from tamis.sources.openclaw import TRANSCRIPT, name_and_kind, recognise
from tamis.sources.source import Skip

BODY_HASH = hashlib.sha256(b"BODY").hexdigest()

# Where tamis means to answer otherwise than upstream: {(table, input): (its answer, why)}.
OTHER_ANSWERS: dict[tuple[str, Any], tuple[Any, str]] = {
    (
        "openclaw/session_artifact_names",
        "abc.checkpoint.11111111-1111-4111-8111-111111111111.jsonl"
        ".deleted.2026-01-01T00-00-00.000Z",
    ): ({"checkpoint": True}, "a deleted checkpoint still repeats its session's lines"),
    ("claude_mem/parse_file_list", '{"a":1}'): (
        ['{"a":1}'],
        "what upstream turns into [object Object] keeps its text",
    ),
    ("hive_mind/content_hash", "\u0085BODY"): (BODY_HASH, "U+0085 is white space of Unicode"),
    ("hive_mind/content_hash", " [hm src:x] BODY"): (BODY_HASH, "a blank defeats no strip"),
    ("hive_mind/content_hash", "[hm src:x] [hm src:y] BODY"): (BODY_HASH, "every header goes"),
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
}
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


def test_a_frame_hashes_as_hive_mind_hashes_it(shared: Path) -> None:
    table = "hive_mind/content_hash"
    found = cases(shared, table)
    texts = [case["input"] for case in found]
    answers = over("sha256_hex('text')", after("strip_headers", texts))
    for case, answer in zip(found, answers, strict=True):
        assert answer == wanted(table, case["input"], case["expected"]), case["note"]


def test_every_exception_is_a_case(shared: Path) -> None:
    for table, about in [*OTHER_ANSWERS, *LEFT_OUT]:
        found = json.loads((shared / "cases" / f"{table}.json").read_text(encoding="utf-8"))
        assert [about in (case["note"], case["input"]) for case in found].count(True) == 1, about
