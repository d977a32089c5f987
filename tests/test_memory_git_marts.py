"""Memory Git in the warehouse: the staged rows of a home, projected and told as marts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tamis.memory_git.rows import history_rows


@pytest.fixture
def built(built_sources: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(built_sources / "tamis.duckdb"), read_only=True) as connection:
        yield connection


def test_a_branch_that_was_merged_later_is_accepted(built: duckdb.DuckDBPyConnection) -> None:
    assert built.execute(
        "select changeset_id, ref_name, history_position, is_accepted, len(problems)"
        " from marts.memory_changesets where project_name = 'garden' order by history_position"
    ).fetchall() == [
        ("cs-root", "refs/shared/main", 0, True, 0),
        ("cs-add", "refs/shared/main", 1, True, 0),
        ("cs-change", "refs/shared/main", 2, True, 3),
        ("cs-left", "refs/agents/sower/main", 3, True, 0),
    ]


def test_the_life_of_a_memory_is_told_state_by_state(built: duckdb.DuckDBPyConnection) -> None:
    assert built.execute(
        "select op_type, content, memory_order, next_order, evidence_count"
        " from marts.memory_history where memory_id = 'watering' order by memory_order"
    ).fetchall() == [
        ("add_memory", "Water at six", 8, 11, 0),
        ("attach_evidence", "Water at six", 11, 12, 1),
        ("correct_memory", "Water at seven", 12, 19, 1),
        ("correct_memory", "Water at eight", 19, None, 1),
    ]


def test_what_left_says_why_and_what_was_written_past_the_root_never_came(
    built: duckdb.DuckDBPyConnection,
) -> None:
    assert built.execute(
        "select memory_id, status, reason from marts.memory_history"
        " where project_name = 'garden' and next_order is null and not is_shown order by all"
    ).fetchall() == [
        ("evt-1", "corrected", "corrected by tomatoes"),
        ("evt-4", "superseded", "superseded at cs-change"),
        ("mem:cs-add:1", "superseded", "superseded at cs-change"),
        ("twin", "duplicate", "duplicate of evt-1"),
    ]
    assert built.execute(
        "select count(*) from marts.memory_history where memory_id = 'evt-8'"
    ).fetchall() == [(0,)]


def test_recorded_conflicts_are_told_as_they_ended(built: duckdb.DuckDBPyConnection) -> None:
    assert built.execute(
        "select conflict_id, status, left_changeset_id, resolved_at is not null"
        " from marts.memory_conflicts"
    ).fetchall() == [("cf-1", "resolved", "cs-left", True)]


def changeset(name: str, *parents: str) -> dict[str, Any]:
    return {"entity": "changeset", "changeset_id": name, "parent_ids": parents}


def added(changeset_id: str, content: str) -> dict[str, Any]:
    """The row of an operation that adds a decision."""
    payload = json.dumps({"content": content, "kind": "decision"})
    place = {"changeset_id": changeset_id, "ordinal": 0, "op_type": "add_memory"}
    return {"entity": "operation", **place, "payload": payload}


def ref(name: str, head: str) -> dict[str, Any]:
    return {"entity": "ref", "ref_name": name, "head_changeset_id": head}


def told(*rows: dict[str, Any]) -> dict[str, Any]:
    """What the rows of one project say."""
    text = json.dumps([{"project_id": "garden", **row} for row in rows])
    found: dict[str, Any] = json.loads(history_rows(text))
    return found


def test_a_branch_that_is_not_merged_is_held_against_the_shared_ref() -> None:
    rows = [
        changeset("base"),
        changeset("main", "base"),
        changeset("wish", "base"),
        added("main", "at six"),
        added("wish", "at noon"),
        ref("refs/shared/main", "main"),
        ref("refs/agents/sower/main", "wish"),
        ref("refs/agents/lost/main", "gone"),
    ]
    (found,) = told(*rows)["conflicts"]
    assert (found["conflict_type"], found["memory_ids"]) == (
        "contradictory_decision",
        ["mem:main:0", "mem:wish:0"],
    )
    assert (
        found["base_changeset_id"],
        found["left_changeset_id"],
        found["right_changeset_id"],
    ) == (
        "base",
        "main",
        "wish",
    )
    assert told(*reversed(rows))["conflicts"] == [found]


def test_rows_that_say_nothing_readable_stop_nothing() -> None:
    found = told(
        changeset("base"),
        {**added("base", ""), "payload": "[1]"},
        {"entity": "event", "event_id": "evt-1", "tags": "soil, sun"},
        ref("refs/shared/main", "base"),
    )
    assert found["changesets"][0]["problems"] == [
        "operation 0: add_memory: payload.content is no text, or an empty one"
    ]
    assert found["states"] == []


@pytest.mark.parametrize(
    "payload",
    [
        '{"content": "a", "confidence": 1e999}',
        '{"content": "a", "confidence": 1' + "0" * 400 + "}",
        '{"content": "a", "confidence": NaN, "tags": {"a": [null]}}',
        '{"content": "\\ud800 \\u0000", "kind": ["fact"]}',
        '{"content": "a", "note": ' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"content": ["a"], "scope": 7, "valid_to": 9}',
        "no JSON",
    ],
)
def test_no_payload_stops_a_build(payload: str) -> None:
    row = {**added("base", ""), "payload": payload}
    text = json.dumps([{"project_id": "garden", **one} for one in (changeset("base"), row)])
    head = json.dumps({**ref("refs/shared/main", "base"), "project_id": "garden"})
    history = history_rows(f"{text[:-1]}, {head}]")
    (states,) = duckdb.execute(
        'select json_transform(?, \'{"states": [{"content": "VARCHAR"}]}\').states', [history]
    ).fetchone() or ([],)
    assert len(states) <= 1


def test_a_row_without_its_key_tells_nothing() -> None:
    nameless = [{"entity": entity} for entity in ("changeset", "operation", "ref", "event")]
    found = told(changeset("base"), *nameless)
    assert [one["changeset_id"] for one in found["changesets"]] == ["base"]


def test_a_history_that_cannot_be_shown_says_so_at_its_head() -> None:
    found = told(changeset("head", "gone"), ref("refs/shared/main", "head"))
    assert found["changesets"][0]["problems"] == [
        "changeset not found: gone",
        "refs/shared/main can't be shown: changeset not found: gone",
    ]
    assert told(changeset("head"))["changesets"][0]["history_position"] is None
