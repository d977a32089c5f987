"""A project's staged rows in, what its accepted history says out, both as JSON text.

This is the function that the models call (see `tamis/udf.py`): it reads no database itself.
"""

import contextlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from tamis.memory_git.conflicts import Conflict
from tamis.memory_git.history import HistoryError, history_at
from tamis.memory_git.lifelines import MemoryState, states_of
from tamis.memory_git.merges import disagreement, silent_merges
from tamis.memory_git.projection import tags_of, unresolved_conflicts
from tamis.memory_git.published import records_of
from tamis.memory_git.records import (
    SHARED_MAIN,
    Changeset,
    LegacyEvent,
    Operation,
    RecordedConflict,
    Repository,
)
from tamis.memory_git.validation import problems_of

Row = Mapping[str, Any]
# A row without these names nothing.
KEYS = {
    "changeset": ("changeset_id",),
    "operation": ("changeset_id", "ordinal"),
    "ref": ("ref_name", "head_changeset_id"),
    "conflict": ("conflict_id",),
    "baseline": ("root_changeset_id", "event_ids"),
    "event": ("event_id",),
}


def history_rows(text: str) -> str:
    """What the accepted history of a project says.

    Args:
        text: a JSON array of rows of the staged tables; `entity` names the table of each.

    Returns:
        A JSON object of lists: `changesets` with their place in the history of the shared ref and
        their problems, `states` of memories, `conflicts` that are recorded or found, and the
        `records` that a projection at any head of any ref is made from.
    """
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in json.loads(text):
        if all(key in row for key in KEYS[row["entity"]]):
            rows[row["entity"]].append(row)
    repository = repository_of(rows)
    try:
        history: Sequence[Changeset] = history_at(repository, SHARED_MAIN)
        trouble = ""
    except HistoryError as problem:
        history, trouble = [], str(problem)
    told = {
        "changesets": changeset_rows(rows["changeset"], repository, history, trouble),
        "states": state_rows(repository, history),
        "conflicts": [*rows["conflict"], *found_conflicts(repository, history)],
        "records": records_of(repository),
    }
    # One lone surrogate would abort the query that reads this.
    shown = json.dumps(told, default=str, ensure_ascii=False)
    return shown.encode("utf-8", "replace").decode()


def repository_of(rows: Mapping[str, Sequence[Row]]) -> Repository:
    """A project from its staged rows."""
    operations = defaultdict(list)
    for row in sorted(rows.get("operation", ()), key=lambda row: int(row["ordinal"])):
        operations[row["changeset_id"]].append(operation_of(row))
    all_rows = [row for of_entity in rows.values() for row in of_entity]
    return Repository(
        all_rows[0]["project_id"] if all_rows else "",
        [changeset_of(row, operations[row["changeset_id"]]) for row in rows.get("changeset", ())],
        {row["ref_name"]: row["head_changeset_id"] for row in rows.get("ref", ())},
        [event_of(row) for row in rows.get("event", ())],
        {row["root_changeset_id"]: row["event_ids"] for row in rows.get("baseline", ())},
        [recorded_of(row) for row in rows.get("conflict", ())],
    )


def operation_of(row: Row) -> Operation:
    """An operation from its row; a payload that is no JSON object says nothing."""
    payload = json_of(row.get("payload", ""))
    return Operation(
        row["changeset_id"],
        int(row["ordinal"]),
        row.get("op_type", ""),
        row.get("target_event_id", ""),
        row.get("resulting_event_id", ""),
        payload if isinstance(payload, dict) else {},
    )


def json_of(text: str) -> Any:
    """The value of a JSON text; the text itself where it is none, or one nested too deeply."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def changeset_of(row: Row, operations: Sequence[Operation]) -> Changeset:
    """A changeset from its row."""
    return Changeset(
        row["changeset_id"],
        row["project_id"],
        row.get("parent_ids", ()),
        operations,
        row.get("is_legacy_root", False),
        moment_of(row.get("created_at")),
        row.get("topic_id", ""),
        row.get("actor_id", ""),
        row.get("is_any_altered", False),
    )


def event_of(row: Row) -> LegacyEvent:
    """A legacy event from its row; tags are a JSON list, or a text."""
    return LegacyEvent(
        row["event_id"],
        row.get("event_type", ""),
        row.get("content", ""),
        moment_of(row.get("created_at")),
        tags_of(json_of(row.get("tags", ""))),
        row.get("confidence"),
    )


def recorded_of(row: Row) -> RecordedConflict:
    """A recorded conflict from its row."""
    return RecordedConflict(
        row["conflict_id"],
        row.get("left_changeset_id", ""),
        row.get("right_changeset_id", ""),
        row.get("status", ""),
        moment_of(row.get("created_at")),
    )


def moment_of(text: str | None) -> datetime | None:
    """A staged time, in UTC without a zone."""
    return datetime.fromisoformat(text) if text else None


def changeset_rows(
    rows: Sequence[Row], repository: Repository, history: Sequence[Changeset], trouble: str
) -> list[dict[str, Any]]:
    """The rows of changesets, each with its place in the history and what is wrong with it."""
    position = {changeset.changeset_id: place for place, changeset in enumerate(history)}
    problems = defaultdict(list)
    for problem in problems_of(repository):
        place = "" if problem.ordinal is None else f"operation {problem.ordinal}: "
        problems[problem.changeset_id].append(f"{place}{problem.message}")
    head = repository.refs.get(SHARED_MAIN)
    if trouble and head in repository.by_id:
        problems[str(head)].append(f"{SHARED_MAIN} can't be shown: {trouble}")
    return [
        {
            **row,
            "history_position": position.get(row["changeset_id"]),
            "problems": problems[row["changeset_id"]],
        }
        for row in rows
    ]


def state_rows(repository: Repository, history: Sequence[Changeset]) -> list[dict[str, Any]]:
    """The states of memories, each with the conflict in which the memory stands now."""
    _, conflict_of = unresolved_conflicts(repository.conflicts, history)
    return [
        {**fields_of(state), "conflict_id": conflict_of.get(state.memory_id)}
        for state in states_of(repository, history)
    ]


def fields_of(record: MemoryState | Conflict) -> dict[str, Any]:
    """The fields of a record by their names; `asdict` would copy each value, which costs most."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def found_conflicts(repository: Repository, history: Sequence[Changeset]) -> list[dict[str, Any]]:
    """What stands between the shared ref and its branches, and what its merges chose in silence.

    A branch whose history is broken is told of by its changesets' problems.
    """
    accepted = {changeset.changeset_id for changeset in history}
    found = list(silent_merges(repository, history))
    for head in sorted(set(repository.refs.values()) - accepted):
        with contextlib.suppress(HistoryError):
            between = disagreement(repository, history[-1].changeset_id, head) if history else None
            found += [between] if between else []
    return [
        {
            **fields_of(conflict),
            "project_id": repository.project_id,
            "base_changeset_id": one.base or None,
            "left_changeset_id": one.left,
            "right_changeset_id": one.right,
            "number": number,
        }
        for one in found
        for number, conflict in enumerate(one.conflicts)
    ]
