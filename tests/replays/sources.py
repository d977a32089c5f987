"""What landing and staging read of files and columns: upstream's cases."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
from test_macros import sql_of

from replays import Case
from tamis.sources.openclaw import TRANSCRIPT, name_and_kind, recognise
from tamis.sources.source import Skip

HEADER = b'{"type":"session","version":3,"id":"abc","cwd":"/work/demo"}\n'


def artifact_names(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """What a file's name says of it, in the fields that each case asks for."""
    answers = []
    for case in cases:
        name = case["input"]
        if not isinstance(name, str):
            answers.append({})
            continue
        answer = recognise(Path("agents/main/sessions") / name, HEADER)
        session, kind = name_and_kind(Path(name))
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
        asked = case["expected"] if isinstance(case["expected"], dict) else said
        answers.append({field: said.get(field) for field in asked})
    return answers


def file_lists(cases: Sequence[Case]) -> list[list[str]]:
    """The statements of a list column of claude-mem; one without text is none."""
    text = sql_of("json_string('item', '$')")
    items = sql_of("claude_mem_items('text::json')")
    query = f"select list_transform({items}, lambda item: {text}) from (select ?::varchar as text)"
    answers = []
    with duckdb.connect() as engine:
        for case in cases:
            column = None if case["input"] is None else json.dumps(case["input"])
            found = engine.execute(query, [column]).fetchall()[0][0]
            answers.append([item for item in found if item])
    return answers


REPLAYS = {
    "openclaw/session_artifact_names": artifact_names,
    "claude_mem/parse_file_list": file_lists,
}
