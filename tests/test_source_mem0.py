"""mem0: what is recognised, what lands, what a memory's states and changes become."""

import json
import pickle
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from captures import mem0 as captures
from captures.mem0 import day
from landing_home import database, land_into, payloads, query, write
from plain_build import PlainBuild
from test_macros import over

from tamis.sources.mem0 import COLLECTION, DATABASE, DOCUMENT, MARKDOWN, MEM0
from tamis.sources.qdrant_point import read_point
from tamis.sources.source import Skip

MEMORIES, HISTORY, MESSAGES = "mem0__memories", "mem0__history", "mem0__messages"
SQLITE = b"SQLite format 3\x00"
ITEM = {"id": "m", "memory": "text", "created_at": "t", "user_id": "u"}
CHANGE = {"id": "h", "memory_id": "m", "event": "ADD", "new_memory": "x"}


def document(value: object) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("mem0-export-web-2026-05-13.md", b"---\nid: x\n", MARKDOWN),
        ("mem0-export-web-2026-05-13.md", b"# Words", None),
        ("notes.md", b"---\nid: x\n", None),
        ("a.json", document([ITEM]), DOCUMENT),
        ("a.json", document(ITEM), DOCUMENT),
        ("a.json", document({"count": 1, "next": None, "results": [ITEM]}), DOCUMENT),
        ("a.json", document({"results": [{**ITEM, "memory": "x" * 200}]})[:120], None),
        (
            "a.json",
            document({"results": [{"user_id": "u", "created_at": "t", **ITEM}]})[:88],
            DOCUMENT,
        ),
        (
            "a.json",
            document([{"id": "h", "memory_id": "m", "event": "ADD", "new_memory": "x"}]),
            DOCUMENT,
        ),
        ("a.json", document([{"id": "m", "memory": "text", "created_at": "t"}]), None),
        ("a.json", document([{**ITEM, "memory": {"block": 1}}]), None),
        ("a.json", document([{**ITEM, "id": 1}]), None),
        ("a.json", document({"results": []}), None),
        ("a.json", document({"results": [{"id": "m", "memory": "x", "event": "ADD"}]}), None),
        ("a.json", b'{"id": "m", "memory": "x", "created_at": "t", "user_id"', None),
        ("a.json", b"[" * 60_000, None),
        ("a.json", b"\xff\xfe", None),
        ("a.jsonl", document(ITEM), None),
    ],
)
def test_its_files_are_known_and_no_others(name: str, head: bytes, expected: object) -> None:
    assert MEM0.recognise(Path("/x") / name, head) is expected


@pytest.mark.parametrize(
    ("name", "table", "points", "expected"),
    [
        ("a.db", "history(id, old_memory, new_memory)", b"", DATABASE),
        ("a.db", "memory_history(id)", b"", DATABASE),
        ("a.db", "memory_migrations(id)", b"", DATABASE),
        ("places.sqlite", "history(url)", b"", None),
        ("collection/mem0/storage.sqlite", "points(id, point)", b"", COLLECTION),
        ("collection/notes/storage.sqlite", "points(id, point)", b"", None),
        (
            "collection/own/storage.sqlite",
            "points(id, point)",
            b"\x04data\x94 \x04hash\x94",
            COLLECTION,
        ),
    ],
)
def test_its_databases_are_known_by_their_tables(
    tmp_path: Path, name: str, table: str, points: bytes, expected: object
) -> None:
    head = database(tmp_path / name, table)
    assert MEM0.recognise(tmp_path / name, head + points) is expected


def test_its_side_collections_are_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "collection/mem0_entities/storage.sqlite"
    assert isinstance(MEM0.recognise(place, database(place, "points(id, point)")), Skip)


def test_it_is_looked_for_where_it_is_set_up_to_be(tmp_path: Path) -> None:
    assert tmp_path / ".mem0/history.db" in MEM0.roots({"HOME": str(tmp_path)}, tmp_path)
    assert Path("/data/history.db") in MEM0.roots({"MEM0_DIR": "/data"}, tmp_path)


def test_every_item_lands_once_wherever_the_files_lie(home: Path, folder: Path) -> None:
    captures.write(folder)
    first = land_into(home, folder)
    counts = {count.source_entity: count.new_records for count in first.entities}
    assert counts == {MEMORIES: 10, HISTORY: 13, MESSAGES: 2}
    assert (first.rejects, first.failed, len(first.skipped)) == (0, (), 1)
    assert land_into(home, folder).new_records == 0
    shutil.copytree(folder, folder.parent / "moved")
    assert land_into(home, folder.parent / "moved").new_records == 0


def test_a_vector_is_no_text_and_a_point_is_its_payload(home: Path, folder: Path) -> None:
    captures.write_typescript(folder)
    captures.write_collection(folder / "collection" / "mem0", captures.POINTS[:1])
    land_into(home, folder)
    rows = query(home, f"select container, payload from raw.{MEMORIES} order by container desc")
    assert [container.split("/")[0] for container, _ in rows] == ["vectors", "points"]
    assert sorted(json.loads(rows[0][1])) == ["id", "payload"]
    identity, payload = captures.POINTS[0]
    assert json.loads(rows[1][1]) == {"id": identity, "payload": payload}


def test_a_point_that_would_run_something_is_refused_and_its_neighbours_land(
    home: Path, folder: Path
) -> None:
    class Dangerous:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (folder / "touched",)

    captures.write_collection(folder / "collection" / "mem0", captures.POINTS)
    with sqlite3.connect(folder / "collection/mem0/storage.sqlite") as connection:
        connection.execute("insert into points values ('z', ?)", (pickle.dumps(Dangerous()),))
        connection.execute("insert into points values ('y', null)")
    connection.close()
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (2, 2)
    assert not (folder / "touched").exists()
    reasons = query(home, "select distinct reason from raw.rejects order by all")
    assert reasons == [("the pickle holds no point",), ("the row holds no point",)]
    assert land_into(home, folder).rejects == 0


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_point_is_read_from_every_protocol(protocol: int) -> None:
    payload = {"data": "é 😀", "n": [1, -5, 2**40, 2**70, 2.5, None, True], "nested": {"a": ["b"]}}
    fields = {"id": "p", "vector": {"": [0.5], "words": (1, 2)}, "payload": payload}
    assert read_point(captures.pickled_point(fields, protocol)) == {"id": "p", "payload": payload}


def laughing() -> list[Any]:
    """A small value that would be a huge text: each list holds the one before it twice."""
    value: list[Any] = ["ha" * 50]
    for _ in range(60):
        value = [value, value]
    return value


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "payload", [{"a": laughing()}, {"a": endless()}, {"a": {1, 2}, "b": Path("x")}, {1: "a"}, None]
)
def test_a_payload_that_json_cant_hold_is_refused(payload: Any) -> None:
    fields = {"id": "p", "payload": {"a": object()} if payload is None else payload}
    with pytest.raises(ValueError, match=r"point|pickle"):
        read_point(captures.pickled_point(fields))


def test_no_damage_to_a_point_does_more_than_refuse_it() -> None:
    data = captures.pickled_point({"id": "p", "vector": [0.5], "payload": {"data": "text"}})
    chance = random.Random(7)
    refused = 0
    for _ in range(3_000):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            read_point(bytes(damaged[: chance.randint(1, len(damaged))]))
        except ValueError:
            refused += 1
    assert refused > 2_000


def test_an_odd_item_hides_no_other(home: Path, folder: Path) -> None:
    write(folder / "list.json", json.dumps({"results": [ITEM, 7, {"id": "n"}, {"memory": None}]}))
    write(folder / "torn.json", json.dumps({"results": [ITEM]})[:-2])
    write(folder / "mem0-export-x-2026-05-13.md", "---", "no block")
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (4, 2)


def test_a_memory_is_one_event_in_every_shape(built_sources: Path) -> None:
    sightings = query(
        built_sources,
        "select distinct content, session_id, metadata ->> 'project_name', sighting_count"
        " from intermediate.int_events_unioned where source_system = 'mem0'"
        f" and native_id = '{captures.memory_id(3)}'",
    )
    assert sightings == [("Stand-up is at ten", "run-3", "acme-web", 2)]


def test_each_store_gives_its_memories(built_sources: Path) -> None:
    memories = query(
        built_sources,
        "select distinct content, agent_id, session_id, occurred_at::date::varchar"
        " from staging.stg_mem0__events where source_entity = 'memories'"
        " and content <> 'Old dashboards are kept' order by content",
    )
    assert memories == [
        ("Commits are signed.", None, None, "2026-05-13"),
        ("Dashboards are rebuilt nightly", None, "run-9", "2026-05-03"),
        ("Holidays are planned in January", None, "run-3", "2026-05-04"),
        ("Holidays are planned in March", None, "run-3", "2026-05-12"),
        ("Reviews need two approvals", "reviewer", "run-7", "2026-05-02"),
        ("Secrets live in the vault", None, None, "2026-05-11"),
        ("Stand-up is at ten", None, "run-3", "2026-05-09"),
        (
            "The port is set in one place only.\n\n---\nThat line is part of the text.",
            None,
            None,
            "2026-05-13",
        ),
    ]


def test_a_subagents_memory_is_refused_and_not_taken_for_its_users(built_sources: Path) -> None:
    refused = query(
        built_sources,
        "select rule_id, namespace from marts.rejections where text = 'Old dashboards are kept'",
    )
    assert refused == [("subagent_session", "default")]


def test_messages_are_turns_of_their_scope(built_sources: Path) -> None:
    turns = query(
        built_sources,
        "select role, event_kind, agent_id, session_id from staging.stg_mem0__events"
        " where source_entity = 'messages' order by role",
    )
    assert turns == [
        ("assistant", "turn", "scribe", "run&1"),
        ("user", "turn", "scribe", "run&1"),
    ]


def test_a_scope_is_read_as_it_was_written(shared: Path) -> None:
    for case in json.loads((shared / "cases/mem0_core/session_scope.json").read_text()):
        for name in ("user_id", "agent_id", "run_id"):
            sql = f"mem0_scope('text', '{name}')"
            wanted = case["input"].get(name)
            assert over(sql, [case["expected"]]) == [str(wanted) if wanted else None]


def test_what_a_memory_said_before_is_kept(built_sources: Path) -> None:
    facts = query(
        built_sources,
        "select text, capture_count from marts.facts where source_system = 'mem0' and ("
        "text like 'Stand-up%' or text like 'The office%' or text like '%Heroku%'"
        " or text like 'Releases%') order by text",
    )
    assert facts == [
        ("Releases happen on Thursdays", 2),
        ("Stand-up is at nine", 1),
        ("Stand-up is at ten", 3),
        ("The office is in Lille", 1),
        ("The office is in Lyon", 1),
        ("We deploy with Heroku", 1),
        ("We no longer deploy with Heroku, we use Fly", 1),
    ]


def test_each_change_names_the_texts_that_it_ends_and_begins(built_sources: Path) -> None:
    changes = query(
        built_sources,
        "with texts as (select distinct native_id, content from staging.stg_mem0__events)"
        " select kind, ended.content, begun.content, changes.occurred_at::date::varchar"
        " from staging.stg_mem0__changes as changes"
        " left join texts as ended on ended.native_id = target_native_id"
        " left join texts as begun on begun.native_id = replacement_native_id order by 2",
    )
    assert changes == [
        (
            "supersede",
            "Holidays are planned in January",
            "Holidays are planned in March",
            "2026-05-10",
        ),
        ("duplicate", "Releases happen on Thursdays", "Releases happen on Thursdays", None),
        ("supersede", "Stand-up is at nine", "Stand-up is at ten", "2026-05-09"),
        ("supersede", "The office is in Lyon", "The office is in Lille", "2026-05-07"),
        ("retire", "Tickets need an estimate", None, "2026-05-03"),
        ("retire", "We deploy with Heroku", None, None),
    ]


def test_a_text_holds_from_when_the_memory_was_given_it() -> None:
    def item(name: str, text: str, updated: int | None, **changes: Any) -> dict[str, Any]:
        stamps = {"created_at": day(1), "updated_at": updated and day(updated)}
        return {"id": name, "memory": text, "user_id": "u", **stamps, **changes}

    def state(name: str, row: int, old: str | None, new: str) -> dict[str, Any]:
        times = {"created_at": day(1), "updated_at": day(row)}
        texts = {"old_memory": old, "new_memory": new}
        return {"id": f"h{row}", "memory_id": name, "event": "UPDATE", **texts, **times}

    build = PlainBuild(sources=["mem0"])
    memories = [
        item("made", "Blue", None),
        item("changed", "Red", 5),
        item("tagged", "Green", 7),
        item("reverted", "One", 9),
        item("replaced", "Old", 6, replaced_by="changed"),
        item("seen", "Grey", None),
        item("seen", "Grey", 8),
    ]
    build.land("mem0__memories", memories)
    build.land(
        "mem0__history",
        [
            *(state("tagged", 2, None, "Green"), state("tagged", 4, "Green", "Green")),
            *(state("reverted", 2, None, "One"), state("reverted", 3, "One", "Two")),
            state("reverted", 5, "Two", "One"),
        ],
    )
    build.build("stg_mem0__events")
    begun = build.rows(
        "select distinct native_id, day(occurred_at) from built.stg_mem0__events"
        " where source_entity = 'memories' order by native_id"
    )
    assert begun == [
        *(("changed", 5), ("made", 1), ("replaced", 1), ("reverted", 5), ("seen", 1)),
        ("tagged", 2),
    ]


def test_a_real_history_only_grows(home: Path, shared: Path) -> None:
    versions = sorted((shared / "real/mem0_db").glob("*/versions/*"))
    assert len(versions) == 2
    landed = []
    seen: set[str] = set()
    for version in versions:
        report = land_into(home, version)
        assert (report.rejects, report.failed, report.skipped) == (0, (), ())
        rows = set(payloads(home, HISTORY))
        assert seen <= rows
        seen = rows
        landed.append((report.records, report.new_records))
    assert landed == [(47, 47), (94, 47)]
    assert land_into(home, *versions).new_records == 0
