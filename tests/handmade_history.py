"""A published build, written by hand, of what the history of memory is read from."""

from datetime import datetime
from pathlib import Path
from typing import Any

from handmade_memory import BUILD_ID, SOWER, garden
from published_marts import memory_rows, publish_marts

from tamis.memory_git.records import SHARED_MAIN

# The port was 1, then 2, then 1 again; a fact of another project says the same, too.
FACTS = [
    ("one", "shop", "The port is <b>1</b>", 1, 2, "two"),
    ("two", "shop", "The port is 2", 2, 3, "one again"),
    ("one again", "shop", "The port is <b>1</b>", 3, None, None),
    ("elsewhere", "docs", "The port is <b>1</b>", 1, None, None),
]
CORRECTIONS = [
    ("c1", "one", "two", "supersede", "the port moved", 2),
    ("c2", "two", "one again", "supersede", "it moved back", 3),
    ("c3", "one", "one again", "reopen", "it moved back", 3),
    ("c4", None, None, "retire", "names nothing", 4),
]
# Each changeset of the garden was made a day after the one before.
COMMITTED = [
    (name, datetime(2026, 1, day))
    for day, name in enumerate(["root", "add", "left", "right", "merge", "wish"], start=1)
]


def day(number: int | None) -> datetime | None:
    """A day of March."""
    return datetime(2026, 3, number) if number else None


def write_history(home: Path) -> Path:
    """Publish it in a home, CURRENT included; returns the build's folder."""
    facts = [
        {
            "fact_id": fact_id,
            "namespace": "default",
            "project_key": project_key,
            "text": text,
            "body_hash": text,
            "t_valid": day(begins),
            "t_invalid": day(ends),
            "recorded_at": day(begins),
            "expired_at": day(ends),
            "is_current": ends is None,
            "superseded_by": superseded_by,
        }
        for fact_id, project_key, text, begins, ends, superseded_by in FACTS
    ]
    corrections = [
        {
            "correction_id": correction_id,
            "target_fact_id": target,
            "replacement_fact_id": replacement,
            "kind": kind,
            "reason": reason,
            "actor": "a person",
            "source": "lethe",
            "decided_at": day(number),
        }
        for correction_id, target, replacement, kind, reason, number in CORRECTIONS
    ]
    return publish_marts(
        home,
        BUILD_ID,
        facts=facts,
        fact_corrections=corrections,
        memory_changesets=changesets(),
        memory_records=memory_rows(garden()),
    )


def changesets() -> list[dict[str, Any]]:
    """The garden's rows of memory_changesets."""
    times = dict(COMMITTED)
    places = {name: place for place, (name, _) in enumerate(COMMITTED) if name != "wish"}
    return [
        {
            "changeset_id": one.changeset_id,
            "project_name": one.project_id,
            "ref_name": SOWER if one.changeset_id == "wish" else SHARED_MAIN,
            "parent_ids": list(one.parent_ids),
            "message": f"what {one.changeset_id} brings",
            "committed_at": times[one.changeset_id],
            "history_position": places.get(one.changeset_id),
            "is_accepted": one.changeset_id != "wish",
            "problems": [],
        }
        for one in garden().changesets
    ]
