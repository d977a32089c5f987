"""What users of the systems reported of duplicates, through the models."""

from typing import Any

import pytest
from plain_build import PROJECT, PlainBuild

BEGIN = 1_780_308_000_000
INVARIANTS = sorted((PROJECT / "tests" / "invariants").glob("*.sql"))


def checked(build: PlainBuild) -> PlainBuild:
    """The build of all marts that the invariants read, after they held."""
    build.build("facts", "fact_sources", "fact_corrections", "rejections")
    for invariant in INVARIANTS:
        assert build.rows(invariant.read_text(encoding="utf-8")) == [], invariant.stem
    return build


def test_one_message_in_three_rows_is_one_prompt_of_its_conversation() -> None:
    """BR02: two sessions of three rows within two seconds, and the same text an hour later."""
    build = PlainBuild()
    rows = [
        ("agent:main:main", 0),
        ("agent:main:main", 900),
        ("chat-77", 1_700),
        ("chat-77", 3_601_700),
    ]
    build.land(
        "claude_mem__user_prompts",
        [
            {
                "id": number,
                "content_session_id": session,
                "prompt_number": number,
                "prompt_text": "Water the tomatoes on Monday",
                "created_at_epoch": BEGIN + at,
            }
            for number, (session, at) in enumerate(rows)
        ],
    )
    checked(build)
    facts = build.rows("select source_session_id, capture_count from built.facts")
    assert facts == [("chat-77", 4)]
    sources = build.rows(
        "select session_id, relation, capture_id = first_value(capture_id) over (order by position)"
        " from built.fact_sources order by position"
    )
    assert sources == [
        ("agent:main:main", "repeat", True),
        ("agent:main:main", "covered", True),
        ("chat-77", "first", True),
        ("chat-77", "repeat", False),
    ]


def test_a_note_stored_three_times_is_kept_once_and_counted() -> None:
    """BR23: the same 300 characters on three days."""
    note = ("The greenhouse opens at nine and closes at six; keys hang at the desk. " * 5)[:300]
    build = PlainBuild()
    build.land(
        "mem0__memories",
        [
            {"id": f"m{day}", "memory": note, "user_id": "u"}
            | {"created_at": f"2026-05-{day:02d}T10:00:00+00:00"}
            for day in (4, 5, 6)
        ],
    )
    checked(build)
    facts = build.rows(
        "select capture_count, access_count, first_seen_at::date::varchar,"
        " last_seen_at::date::varchar, is_current from built.facts"
    )
    assert facts == [(3, 2, "2026-05-04", "2026-05-06", True)]


STORED_HASHES = [
    "9cc68e933b6e72e1",
    "5d7c42d1b4d8c6c6",
    "DA1984F00C3B7E21",
    "__null_migration_42__",
    None,
    "0123456789012345",
]


def observation(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": number,
        "memory_session_id": "s",
        "type": "discovery",
        "created_at_epoch": BEGIN + number,
        **fields,
    }


@pytest.mark.parametrize("is_reversed", [False, True])
def test_an_observation_is_one_whatever_hash_was_stored_with_it(is_reversed: bool) -> None:
    """All populations of stored hashes; rows without texts of their own are not one another."""
    rows = [
        observation(number, title="Port moved", narrative="It is 7443", content_hash=stored)
        for number, stored in enumerate(STORED_HASHES)
    ]
    rows += [
        observation(10, text="Backups run at three", content_hash=None),
        observation(11, text="Backups are kept for a month", content_hash=None),
        # One stored hash of two texts: random ones and old ones can meet.
        observation(12, title="Disk", narrative="It is full", content_hash="5d7c42d1b4d8c6c6"),
    ]
    build = PlainBuild()
    build.land("claude_mem__observations", rows[::-1] if is_reversed else rows)
    checked(build)
    facts = build.rows("select text, capture_count, t_valid from built.facts order by text")
    assert [(text, count) for text, count, _ in facts] == [
        ("Backups are kept for a month", 1),
        ("Backups run at three", 1),
        ("Disk\nIt is full", 1),
        ("Port moved\nIt is 7443", len(STORED_HASHES)),
    ]
    first = build.rows(
        "select sources.native_id from built.fact_sources as sources"
        " inner join built.facts using (fact_id) where relation = 'first' and text like 'Port%'"
    )
    assert first == [(f"s/0/{STORED_HASHES[0]}",)]


def test_the_invariant_of_observations_finds_what_it_must() -> None:
    file = next(file for file in INVARIANTS if file.stem.startswith("kept_claude_mem"))
    build = PlainBuild()
    build.land(
        "claude_mem__observations",
        [observation(number, title="Port moved", narrative="It is 7443") for number in (1, 2)]
        + [observation(number, text=f"Backup {number}") for number in (3, 4)],
    )
    build.build("int_events_deduplicated")
    text = file.read_text(encoding="utf-8")
    assert build.rows(text) == []
    build.engine.execute("update built.int_events_deduplicated set fact_id = event_id")
    assert len(build.rows(text)) == 1
    build.engine.execute("update built.int_events_deduplicated set fact_id = 'one'")
    assert len(build.rows(text)) == 1


def test_a_restated_frame_is_kept_though_another_one_of_it_is_deprecated() -> None:
    build = PlainBuild()
    build.land(
        "hive_mind__memory_frames",
        [
            {
                "id": number,
                "frame_type": "I",
                "gop_id": "g",
                "content": "Pump one feeds bed two",
            }
            | {"importance": importance, "created_at": f"2026-06-0{number} 10:00:00"}
            for number, importance in ((1, "deprecated"), (2, "normal"))
        ],
    )
    checked(build)
    assert build.rows("select capture_count, is_current from built.facts") == [(2, True)]
