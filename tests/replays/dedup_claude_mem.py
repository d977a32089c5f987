"""claude-mem's identity of observations, its stores and its queue, through the models."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from plain_build import PROJECT, PlainBuild

from replays import Case

EPOCH = 1_700_000_000_000


@cache
def hashes() -> PlainBuild:
    """A build that only hashes."""
    return PlainBuild()


def todays_hash(session: str, title: str | None, narrative: str | None) -> str:
    """claude-mem's hash, by tamis's macro."""
    build = hashes()
    (row,) = build.engine.execute(
        "select "
        + build.rendered("{{ claude_mem_hash(['session', 'title', 'narrative']) }}")
        + " from (select ?::varchar as session, ?::varchar as title, ?::varchar as narrative)",
        [session, title, narrative],
    ).fetchall()
    return str(row[0])


def content_hash(found: Sequence[Case]) -> list[Any]:
    """The hash of session, title and narrative."""
    return [
        todays_hash(*(case["input"][key] for key in ("memory_session_id", "title", "narrative")))
        for case in found
    ]


def content_hash_generations(found: Sequence[Case]) -> list[Any]:
    """Which stored hashes are today's; of the others tamis trusts none and says so of all."""
    build = PlainBuild()
    build.land(
        "claude_mem__observations",
        [{"id": number, **case["input"]} for number, case in enumerate(found)],
    )
    build.build("stg_claude_mem__events")
    rehashed = dict(
        build.rows(
            "select split_part(native_id, '/', 2)::int, metadata ->> 'content_hash'"
            " from built.stg_claude_mem__events"
        )
    )
    return [
        "nul_separated"
        if rehashed[number] == case["input"]["content_hash"]
        else case["expected"].replace("nul_separated", "re-hashed otherwise")
        for number, case in enumerate(found)
    ]


def store_dedup(found: Sequence[Case]) -> list[Any]:
    """What is left of a store that kept every row it was handed."""
    build = PlainBuild()
    stored: list[list[list[dict[str, Any]]]] = []
    for number, case in enumerate(found):
        steps = []
        count = 0
        for step in case["input"]["steps"]:
            rows = []
            for given in step["observations"]:
                count += 1
                session = step["session"]
                title, narrative = given.get("title"), given.get("narrative")
                is_import = step["op"] == "import"
                rows.append(
                    {
                        "id": count,
                        "memory_session_id": session,
                        "project": step.get("project", "proj"),
                        "title": title,
                        "narrative": narrative,
                        "content_hash": None
                        if is_import
                        else todays_hash(session, title, narrative),
                        "agent_type": given.get("agent_type"),
                        "agent_id": given.get("agent_id"),
                        "created_at_epoch": step.get("at", EPOCH),
                    }
                )
            # A row of one case is none of another's.
            landed = [
                row
                | {"id": 1000 * number + row["id"]}
                | {"facts": given.get("facts"), "type": given.get("type", "discovery")}
                for row, given in zip(rows, step["observations"], strict=True)
            ]
            build.land("claude_mem__observations", landed, f"c{number}-{len(steps)}")
            steps.append(rows)
        stored.append(steps)
    build.build("int_events_unioned")
    build.engine.execute(
        "update built.int_events_unioned set user_id = split_part(container, '-', 1)"
    )
    build.build("int_events_deduplicated", "int_events_ordered")
    firsts: dict[str, str] = {}
    sightings = build.rows(
        "select record_id, verdicts.fact_id from built.stg_tamis__sightings"
        " inner join built.int_events_deduplicated as verdicts using (event_id)"
        " where fact_id is not null order by record_id, (part = '0') desc, part"
    )
    for record_id, fact_id in sightings:
        firsts.setdefault(record_id, fact_id)
    answers = []
    for number, steps in enumerate(stored):
        keepers: dict[str, dict[str, Any]] = {}
        returned = []
        for place, rows in enumerate(steps):
            ids = []
            for row_number, row in enumerate(rows):
                record = f"claude_mem__observations/c{number}-{place}/{row_number}"
                is_new = firsts[record] not in keepers
                kept = keepers.setdefault(firsts[record], row | {"id": len(keepers) + 1})
                is_import = found[number]["input"]["steps"][place]["op"] == "import"
                ids.append({"imported": is_new, "id": kept["id"]} if is_import else kept["id"])
            returned.append(ids)
        answers.append(
            {"returned": returned, "rows_total": len(keepers), "rows": list(keepers.values())}
        )
    return answers


def migration_22_29(found: Sequence[Case]) -> list[Any]:
    """Which rows stand for the others. Equal hashes mean equal texts; no hash means its own."""
    build = PlainBuild()
    tables = []
    for number, case in enumerate(found):
        rows = [
            {
                "title": f"{row['memory_session_id']} {row.get('content_hash') or row['id']}",
                "created_at_epoch": EPOCH,
                **row,
            }
            for row in sorted(case["input"]["rows"], key=lambda row: row["id"])
        ]
        landed = [row | {"id": 1000 * number + row["id"]} for row in rows]
        build.land("claude_mem__observations", landed, f"c{number}")
        tables.append(rows)
    build.build("int_events_unioned")
    build.engine.execute("update built.int_events_unioned set user_id = container")
    build.build("int_events_deduplicated")
    firsts = {
        record
        for (record,) in build.rows(
            "select record_id from built.int_events_unioned"
            " inner join built.int_events_deduplicated using (event_id) where verdict = 'first'"
        )
    }
    invariant = "kept_claude_mem_observations_are_unique_by_session_and_hash"
    file = PROJECT / "tests" / "invariants" / f"{invariant}.sql"
    is_unique = build.rows(file.read_text(encoding="utf-8")) == []
    answers = []
    for number, (case, rows) in enumerate(zip(found, tables, strict=True)):
        kept = [
            row
            for place, row in enumerate(rows)
            if f"claude_mem__observations/c{number}/{place}" in firsts
        ]
        hashes = [
            row.get("content_hash")
            or todays_hash(row["memory_session_id"], row["title"], row.get("narrative"))
            for row in kept
        ]
        answer: dict[str, Any] = {"surviving_ids": [row["id"] for row in kept]}
        if "hashes" in case["expected"]:
            answer |= {
                "hashes": hashes,
                "distinct_hashes": len(set(hashes)),
                "unique_index": is_unique,
            }
        answers.append(answer)
    return answers


def pending_messages_dedup(found: Sequence[Case]) -> list[Any]:
    """Of rows that tamis takes for one, the one that upstream would keep."""
    answers = []
    for case in found:
        build = PlainBuild()
        rows = case["input"]["rows"]
        build.land(
            "claude_mem__pending_messages",
            [
                {"message_type": "observation", "tool_name": "Read", "tool_input": "{}"}
                | {"created_at_epoch": EPOCH, "content_session_id": f"s{row['session_db_id']}"}
                | row
                for row in rows
            ],
        )
        build.build("stg_claude_mem__queued_messages")
        groups: dict[str, list[dict[str, Any]]] = {}
        for native_id, record in build.rows(
            "select native_id, record_id from built.stg_claude_mem__queued_messages"
        ):
            groups.setdefault(native_id, []).append(rows[int(record.split("/")[2])])
        kept = [
            min(group, key=lambda row: (row["status"] != "processing", row["id"]))["id"]
            for group in groups.values()
        ]
        answers.append({"surviving_ids": sorted(kept)})
    return answers


def stale_processing_reset(found: Sequence[Case]) -> list[Any]:
    """The status of queued work as it is staged; its database was last written at one time."""
    build = PlainBuild()
    last_write = EPOCH + 3_600_000
    for number, case in enumerate(found):
        age = case["input"].get("started_processing_age_ms")
        build.land(
            "claude_mem__pending_messages",
            [
                {"message_type": "observation", "tool_name": "Read", "tool_input": "{}", "id": 1}
                | {"content_session_id": f"s{number}", "created_at_epoch": EPOCH}
                | {"status": case["input"].get("status")}
                | {"started_processing_at_epoch": None if age is None else last_write - age}
            ],
            container=f"c{number}",
        )
    build.engine.execute(
        "update raw.claude_mem__pending_messages"
        f" set origin = container, origin_modified_at = epoch_ms({last_write}::bigint)"
    )
    build.build("stg_claude_mem__queued_messages")
    staged = dict(
        build.rows(
            "select session_id, details ->> 'queue_status'"
            " from built.stg_claude_mem__queued_messages"
        )
    )
    return [staged[f"s{number}"] for number in range(len(found))]


REPLAYS = {
    "claude_mem/content_hash": content_hash,
    "claude_mem/content_hash_generations": content_hash_generations,
    "claude_mem/store_dedup": store_dedup,
    "claude_mem/import_dedup": store_dedup,
    "claude_mem/migration_22_29": migration_22_29,
    "claude_mem/pending_messages_dedup": pending_messages_dedup,
    "claude_mem/stale_processing_reset": stale_processing_reset,
}
