"""What a projection needs of a project, as flat records that can be published, and back again.

A head is projected from what was published, never from what was landed: the records hold only what
counts for a projection (no author, no message, no evidence), and each of their texts can be
redacted on its own. Legacy events that no root accepted were never accepted memory: they stay away.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tamis.memory_git.projection import tags_of
from tamis.memory_git.records import (
    Changeset,
    LegacyEvent,
    Operation,
    RecordedConflict,
    Repository,
    is_number,
    text_of,
)

Record = Mapping[str, Any]
# What a payload says in texts, and by which names its records tell it.
PAYLOAD_TEXTS = {
    "content": "content",
    "kind": "memory_kind",
    "event_type": "event_type",
    "scope": "scope",
    "visibility": "visibility",
    "memory_id": "memory_id",
    "event_id": "event_id",
    "duplicate_id": "duplicate_id",
    "duplicate_of": "original_id",
    "from_memory_id": "from_memory_id",
    "to_memory_id": "to_memory_id",
}


def records_of(repository: Repository) -> list[dict[str, Any]]:
    """A project as records; what a record does not say is left out.

    A changeset of another project is nothing of this one's: who names it as a parent has a parent
    that is missing.
    """
    own = [one for one in repository.changesets if one.project_id == repository.project_id]
    told = [
        *(changeset_record(one) for one in own),
        *(operation_record(one) for each in own for one in each.operations),
        *(
            {"entity": "ref", "ref_name": name, "changeset_id": head}
            for name, head in repository.refs.items()
        ),
        *(conflict_record(one) for one in repository.conflicts),
        *accepted_events(repository),
    ]
    return [
        {name: value for name, value in record.items() if value not in (None, "")}
        for record in told
    ]


def changeset_record(changeset: Changeset) -> dict[str, Any]:
    """A changeset without its operations."""
    return {
        "entity": "changeset",
        "changeset_id": changeset.changeset_id,
        "parent_ids": changeset.parent_ids,
        "is_legacy_root": changeset.is_legacy_root,
        "is_altered": changeset.is_altered,
    }


def operation_record(operation: Operation) -> dict[str, Any]:
    """An operation with what its payload says to a projection."""
    payload = operation.payload
    told = {column: text_of(payload, key) for key, column in PAYLOAD_TEXTS.items()}
    if "tags" in payload:
        told["tags_text"] = json.dumps(tags_of(payload["tags"]), ensure_ascii=False)
    if is_number(payload.get("confidence")):
        told["confidence"] = payload["confidence"]
    return {
        "entity": "operation",
        "changeset_id": operation.changeset_id,
        "ordinal": operation.ordinal,
        "op_type": operation.op_type,
        "target_id": operation.target_event_id,
        "result_id": operation.resulting_event_id,
        **told,
    }


def conflict_record(conflict: RecordedConflict) -> dict[str, Any]:
    """A recorded conflict."""
    return {
        "entity": "conflict",
        "conflict_id": conflict.conflict_id,
        "left_changeset_id": conflict.left_changeset_id,
        "right_changeset_id": conflict.right_changeset_id,
        "status": conflict.status,
        "created_at": conflict.created_at,
    }


def accepted_events(repository: Repository) -> list[dict[str, Any]]:
    """The legacy events that each legacy root accepted."""
    return [
        {
            "entity": "event",
            "changeset_id": root.changeset_id,
            "event_id": event.event_id,
            "event_type": event.event_type,
            "content": event.content,
            "tags_text": json.dumps(event.tags, ensure_ascii=False),
            "confidence": event.confidence,
            "created_at": event.created_at,
        }
        for root in repository.changesets
        if root.is_legacy_root
        for event in repository.baseline_of(root)
    ]


def repository_from(project_id: str, records: Iterable[Record]) -> Repository:
    """A project from its records, in whatever order they come."""
    of_entity: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        of_entity[record["entity"]].append(record)
    operations: dict[str, list[Operation]] = defaultdict(list)
    for record in sorted(of_entity["operation"], key=lambda record: record["ordinal"]):
        operations[record["changeset_id"]].append(operation_from(record))
    changesets = [
        Changeset(
            record["changeset_id"],
            project_id,
            tuple(record.get("parent_ids") or ()),
            operations[record["changeset_id"]],
            is_legacy_root=bool(record.get("is_legacy_root")),
            is_altered=bool(record.get("is_altered")),
        )
        for record in of_entity["changeset"]
    ]
    baselines = {one.changeset_id: list[str]() for one in changesets if one.is_legacy_root}
    for record in of_entity["event"]:
        baselines[record["changeset_id"]].append(record["event_id"])
    return Repository(
        project_id,
        changesets,
        {record["ref_name"]: record["changeset_id"] for record in of_entity["ref"]},
        list({record["event_id"]: event_from(record) for record in of_entity["event"]}.values()),
        baselines,
        [conflict_from(record) for record in of_entity["conflict"]],
    )


def operation_from(record: Record) -> Operation:
    """An operation with the payload that its record tells."""
    payload: dict[str, Any] = {
        key: record[column] for key, column in PAYLOAD_TEXTS.items() if record.get(column)
    }
    if record.get("tags_text") is not None:
        payload["tags"] = tags_from(record)
    if record.get("confidence") is not None:
        payload["confidence"] = record["confidence"]
    return Operation(
        record["changeset_id"],
        record["ordinal"],
        record.get("op_type") or "",
        record.get("target_id") or "",
        record.get("result_id") or "",
        payload,
    )


def tags_from(record: Record) -> tuple[str, ...]:
    """The tags that a record lists; none where a secret took the list apart."""
    try:
        return tags_of(json.loads(record.get("tags_text") or "[]"))
    except ValueError:
        return ()


def event_from(record: Record) -> LegacyEvent:
    """A legacy event from its record."""
    return LegacyEvent(
        record["event_id"],
        record.get("event_type") or "",
        record.get("content") or "",
        record.get("created_at"),
        tags_from(record),
        record.get("confidence"),
    )


def conflict_from(record: Record) -> RecordedConflict:
    """A recorded conflict from its record."""
    return RecordedConflict(
        record["conflict_id"],
        record.get("left_changeset_id") or "",
        record.get("right_changeset_id") or "",
        record.get("status") or "",
        record.get("created_at"),
    )
