"""Facts over time: what an explicit change ends, what it begins again, and what it leaves alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from plain_build import CHANGE_COLUMNS, EVENT_COLUMNS, PROJECT, PlainBuild

BEGIN = datetime(2026, 6, 1)
RECORD_COLUMNS = {
    **dict.fromkeys(
        ("record_id", "source_entity", "record_kind", "container", "origin"), "varchar"
    ),
    "position": "bigint",
    "origin_modified_at": "timestamp",
    "landed_at": "timestamp",
}
INVARIANTS = sorted((PROJECT / "tests" / "invariants").glob("*.sql"))


@dataclass(frozen=True)
class Memory:
    """A memory that a store holds: its native id, text and day (None where nobody noted it)."""

    native_id: str
    text: str
    day: float | None


@dataclass(frozen=True)
class Change:
    """An explicit operation on a memory: kind, target, replacement and day."""

    kind: str
    target: str
    replacement: str | None = None
    day: float | None = None


def moment(day: float | None) -> datetime | None:
    return None if day is None else BEGIN + timedelta(days=day)


Story = tuple[Sequence[Memory], Sequence[Change]]


def facts(stories: Sequence[Story]) -> list[list[str]]:
    """Of each story, told to a user of its own: each fact as `text begin-end`, in days, with a `*`
    behind what is current. Invariants hold."""
    memories = [(user, memory) for user, (told, _) in enumerate(stories) for memory in told]
    changes = [(user, change) for user, (_, told) in enumerate(stories) for change in told]
    build = PlainBuild(sources=())
    give(
        build,
        "stg_tamis__sightings",
        EVENT_COLUMNS,
        [
            {
                "event_id": f"{user}/{memory.native_id}",
                "source_system": "mem0",
                "source_entity": "mem0__memories",
                "native_id": f"{user}/{memory.native_id}",
                "part": "0",
                "user_id": f"user{user}",
                "event_kind": "memory",
                "content": memory.text,
                "occurred_at": moment(memory.day),
                "landed_at": BEGIN,
                "record_id": f"{user}/{memory.native_id}",
                "metadata": "{}",
            }
            for user, memory in memories
        ],
    )
    give(
        build,
        "stg_tamis__records",
        RECORD_COLUMNS,
        [
            {
                "record_id": f"{user}/{memory.native_id}",
                "source_entity": "mem0__memories",
                "container": "c",
                "origin": "file",
                "position": number,
                "landed_at": BEGIN,
            }
            for number, (user, memory) in enumerate(memories)
        ],
    )
    give(
        build,
        "stg_tamis__changes",
        CHANGE_COLUMNS,
        [
            {
                "change_id": f"{user}/{change}",
                "source_system": "mem0",
                "target_native_id": f"{user}/{change.target}",
                "replacement_native_id": change.replacement and f"{user}/{change.replacement}",
                "kind": change.kind,
                "reason": "said so",
                "actor": "someone",
                "occurred_at": moment(change.day),
                "metadata": "{}",
            }
            for user, change in changes
        ],
    )
    build.build("facts", "fact_sources", "fact_corrections", "rejections")
    for invariant in INVARIANTS:
        assert build.rows(invariant.read_text(encoding="utf-8")) == [], invariant.stem
    told: list[list[str]] = [[] for _ in stories]
    for user, text, begin, end, is_current in build.rows(
        "select user_id, text, t_valid, t_invalid, is_current from built.facts"
        " order by text, t_valid nulls first"
    ):
        told[int(user.removeprefix("user"))].append(
            f"{text} {days(begin)}-{days(end)}{'*' if is_current else ''}"
        )
    return told


def give(
    build: PlainBuild, model: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Take rows for a model's; what a row leaves out is NULL."""
    build.give(
        model,
        [f"{name} {kind}" for name, kind in columns.items()],
        [[row.get(name) for name in columns] for row in rows],
    )


def days(when: datetime | None) -> str:
    return "" if when is None else f"{(when - BEGIN).total_seconds() / 86_400:g}"


OLD = Memory("m1", "We deploy with Heroku", 1)
NEW = Memory("m2", "We deploy with Fly", 5)


STORIES: list[tuple[Sequence[Memory], Sequence[Change], list[str]]] = [
    (  # The new fact's day ends the old one.
        [OLD, NEW],
        [Change("supersede", "m1", "m2", 5)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Nothing ends without an operation, however alike two statements are.
        [OLD, NEW],
        [],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-*"],
    ),
    (  # What is older than what it replaces is born ended.
        [OLD, NEW],
        [Change("supersede", "m2", "m1", 6)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Retired: it ends, and nothing takes its place.
        [OLD],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-3"],
    ),
    (  # An operation of the same moment ends it too; no interval is made up.
        [OLD, Memory("m2", "We deploy with Fly", 1)],
        [Change("supersede", "m1", "m2", 1)],
        ["We deploy with Fly 1-*", "We deploy with Heroku 1-"],
    ),
    (  # So does one whose day nobody noted.
        [Memory("m1", "We deploy with Heroku", None)],
        [Change("retire", "m1")],
        ["We deploy with Heroku -"],
    ),
    (  # A, B, A again by operations: A is true twice, with a gap.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [Change("supersede", "m1", "m2", 5), Change("supersede", "m2", "m3", 9)],
        [
            "We deploy with Fly 5-9",
            "We deploy with Heroku 1-5",
            "We deploy with Heroku 9-*",
        ],
    ),
    (  # Saying it again revives nothing: no operation took the ending back.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [
            Change("supersede", "m1", "m2", 5),
            Change("duplicate", "m3", "m1", 10),
        ],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Reopened: it stands again from that day, though nobody said it anew.
        [OLD],
        [Change("retire", "m1", day=3), Change("reopen", "m1", day=7)],
        ["We deploy with Heroku 1-3", "We deploy with Heroku 7-*"],
    ),
    (  # What the store still says elsewhere was not taken back.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # A duplicate of the same words ends nothing.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("duplicate", "m2", "m1", 3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # Twins that add to each other both stand.
        [OLD, Memory("m2", "We deploy with Heroku on Fridays", 2)],
        [Change("duplicate", "m9", "m1", 3)],
        ["We deploy with Heroku 1-*", "We deploy with Heroku on Fridays 2-*"],
    ),
]


def test_facts_over_time() -> None:
    found = facts([(memories, changes) for memories, changes, _ in STORIES])
    assert found == [expected for _, _, expected in STORIES]
    turned = [(memories[::-1], changes[::-1]) for memories, changes, _ in STORIES]
    assert facts(turned) == found
