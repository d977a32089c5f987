"""What is one statement, and who is kept: hive-mind and mem0, through the models."""

import hashlib
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from plain_build import PROJECT, PlainBuild

from replays import Case
from tamis.rules.render import render_rules

BEGIN = datetime(2026, 6, 1, 10, 0, 0)
VERDICTS = """
    select events.session_id, events.native_id, events.record_id, verdicts.fact_id,
        verdicts.verdict, events.content, events.metadata, places.event_order
    from built.int_events_unioned as events
    inner join built.int_events_deduplicated as verdicts using (event_id)
    inner join built.int_events_ordered as places using (event_id)
    order by places.event_order
"""


def one_fact_space_a_session(build: PlainBuild) -> None:
    """Each session is another user's, so that one build answers many cases."""
    build.build("int_events_unioned")
    build.engine.execute("update built.int_events_unioned set user_id = session_id")
    build.build("int_events_deduplicated", "int_events_ordered")


def frame(number: int, session: str, content: str, at: int, **more: Any) -> dict[str, Any]:
    """A hive-mind frame, `at` seconds after the beginning."""
    return {
        "id": number,
        "frame_type": "I",
        "gop_id": session,
        "content": content,
        "importance": "normal",
        "created_at": f"{BEGIN + timedelta(seconds=at)}",
        **more,
    }


def policy_rules(folder: Path, window: int | None) -> Path:
    """The rules with hive-mind's window in force, or with none."""
    if window is None:
        return PROJECT / "macros" / "rules"
    seeds = folder / "seeds"
    seeds.mkdir()
    for file in (PROJECT / "seeds").glob("*.csv"):
        text = file.read_text(encoding="utf-8")
        if file.stem == "dedup_policies":
            text = text.replace(",any,,true,", ",any,,false,", 1)
            text = text.replace(",stored rows,500,false,", f",stored rows,{window},true,", 1)
        (seeds / file.name).write_text(text, encoding="utf-8")
    render_rules(seeds, folder / "rules")
    return folder / "rules"


def dedup_sequences(found: Sequence[Case]) -> list[Any]:
    """What a mind would hold, and what each insert into it would answer."""
    answers: dict[int, Any] = {}
    for window in dict.fromkeys(case["input"]["window"] for case in found):
        with tempfile.TemporaryDirectory() as folder:
            build = PlainBuild(policy_rules(Path(folder), window), sources=["hive_mind"])
        numbers = [n for n, case in enumerate(found) if case["input"]["window"] == window]
        for number in numbers:
            told = found[number]["input"]["events"]
            build.land(
                "hive_mind__memory_frames",
                [
                    frame(place, f"c{number}", event["content"], place)
                    | {"frame_type": event.get("type", "I")}
                    | ({"importance": event["importance"]} if "importance" in event else {})
                    for place, event in enumerate(told)
                ],
                container=f"c{number}",
            )
        one_fact_space_a_session(build)
        for number in numbers:
            rows = build.rows(
                f"select * from ({VERDICTS}) where session_id = 'c{number}'"
                " order by split_part(record_id, '/', 3)::int"
            )
            answers[number] = mind(rows, found[number]["input"]["events"])
    return [answers[number] for number in range(len(found))]


def mind(rows: Sequence[tuple[Any, ...]], told: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The frames that the facts stand for, and where each event went."""
    keepers = [row[3] for row in rows if row[4] == "first"]
    results = []
    frames = []
    for (*_, fact_id, verdict, content, _, _), event in zip(rows, told, strict=True):
        if fact_id is None:
            results.append({"frame_id": None, "inserted": False})
            continue
        place = keepers.index(fact_id) + 1
        results.append({"frame_id": place, "inserted": verdict == "first"})
        if verdict == "first":
            count = sum(row[3] == fact_id for row in rows) - 1
            kind = event.get("type", "I")
            frames.append({"id": place, "type": kind, "content": content, "access_count": count})
    return {"results": results, "frames": frames}


def harvest_dedup(found: Sequence[Case]) -> list[Any]:
    """What of a harvest is new beside what a mind holds."""
    build = PlainBuild()
    for number, case in enumerate(found):
        texts = [
            item["content"] if isinstance(item, dict) else item
            for item in [*case["input"]["existing"], *case["input"]["incoming"]]
        ]
        build.land(
            "hive_mind__memory_frames",
            [frame(place, f"c{number}", text, place) for place, text in enumerate(texts)],
            container=f"c{number}",
        )
    one_fact_space_a_session(build)
    answers = []
    for number, case in enumerate(found):
        rows = build.rows(f"select * from ({VERDICTS}) where session_id = 'c{number}'")
        incoming = rows[len(case["input"]["existing"]) :]
        unique = [row[5] for row in incoming if row[4] == "first"]
        answers.append(
            {
                "unique": unique,
                "duplicates_skipped": len(incoming) - len(unique),
                "contradictions": [],
            }
        )
    return answers


def summarize_turn(found: Sequence[Case]) -> list[Any]:
    """The extract that a hook stored, where it is known to be the answer that was given."""
    build = PlainBuild()
    for number, case in enumerate(found):
        build.land(
            "hive_mind__memory_frames",
            [frame(1, f"c{number}", f"[hm src:codex event:stop] {case['expected']}", 5)],
            container=f"c{number}",
        )
        build.land(
            "openclaw__entries",
            [
                {"type": "session", "version": 3, "id": f"c{number}", "cwd": "/w/x"},
                {
                    "type": "message",
                    "id": f"{number:08x}",
                    "timestamp": "2026-06-01T10:00:04.000Z",
                    "message": {
                        "role": "assistant",
                        "content": [{"type": "text", "text": case["input"]["text"]}],
                    },
                },
            ],
            container=f"c{number}",
        )
    one_fact_space_a_session(build)
    answers = []
    for number, case in enumerate(found):
        facts = [
            row[3] for row in build.rows(f"select * from ({VERDICTS}) where session_id='c{number}'")
        ]
        assert len(facts) == 2
        answers.append(case["expected"] if len(set(facts)) == 1 else facts)
    return answers


def memory_md5_hash(found: Sequence[Case]) -> list[Any]:
    """mem0's hash of the text that tamis compares memories by; none where it compares nothing."""
    build = PlainBuild()
    build.land(
        "mem0__memories",
        [
            {"id": f"m{number}", "memory": case["input"], "user_id": "u"}
            for number, case in enumerate(found)
        ],
    )
    build.build("int_events_hashed")
    bodies = dict(
        build.rows(
            "select native_id, body from built.int_events_unioned"
            " inner join built.int_events_redacted using (event_id)"
            " inner join built.int_events_hashed using (event_id) where body_hash is not null"
        )
    )
    return [
        hashlib.md5(bodies[f"m{number}"].encode()).hexdigest() if f"m{number}" in bodies else None
        for number in range(len(found))
    ]


def last_messages_eviction(found: Sequence[Case]) -> list[Any]:
    """The newest ten messages by tamis's order; those of one call share their time."""
    build = PlainBuild()
    for number, case in enumerate(found):
        rows = [
            (batch, f"m{sum(case['input']['batches'][:batch]) + place}")
            for batch, size in enumerate(case["input"]["batches"])
            for place in range(size)
        ]
        build.land(
            "mem0__messages",
            [
                {"id": f"{number}/{name}", "role": "user", "content": name}
                | {"created_at": f"2026-06-01T10:0{batch}:00+00:00"}
                for batch, name in rows
            ],
            container=f"c{number}",
        )
    build.build("int_events_ordered")
    ordered = build.rows(
        "select container, content from built.int_events_unioned"
        " inner join built.int_events_ordered using (event_id) order by event_order"
    )
    answers = []
    for number in range(len(found)):
        kept = [name for container, name in ordered if container == f"c{number}"][-10:]
        answers.append({"kept": len(kept), "kept_in_order_observed": kept})
    return answers


REPLAYS = {
    "hive_mind/dedup_sequences": dedup_sequences,
    "hive_mind/harvest_dedup": harvest_dedup,
    "hive_mind/summarize_turn": summarize_turn,
    "mem0_core/memory_md5_hash": memory_md5_hash,
    "mem0_core/last_messages_eviction": last_messages_eviction,
}
