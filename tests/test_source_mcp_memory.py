"""MCP memory: its files, what becomes of their entries, what later states tell of earlier ones."""

import json
from pathlib import Path

import pytest
from captures.mcp_memory import FLOUR, OVEN, PORT, STATES, state, write, write_state
from landing_home import land_into, payloads, query

from tamis.sources.mcp_memory import DOCUMENT, LINES, name_of, recognise

ENTRIES = "mcp_memory__entries"
FILES = "mcp_memory__files"
ENTITY = '{"type":"entity","name":"a","entityType":"b","observations":["c"]}'


@pytest.mark.parametrize(
    ("name", "head", "answer"),
    [
        ("memory.jsonl", ENTITY, LINES),
        ("memory.json", ENTITY, LINES),
        ("notes.jsonl", '{"type":"relation","from":"a","to":"b","relationType":"c"}', LINES),
        ("memory.jsonl", "{broken\n" + ENTITY, LINES),
        ("memory.json", '{"entities":[],"relations":[]}', DOCUMENT),
        ("memory.json", '{\n "entities": [\n  {\n   "entityType": "b"', DOCUMENT),
        ("memory.md", ENTITY, None),
        ("memory.jsonl", '{"type":"entity","name":"a"}', None),
        (
            "talk.jsonl",
            '{"type":"user","message":"{\\"entityType\\": 1, \\"entities\\": []}"}',
            None,
        ),
        ("talk.jsonl", '{"type":"user","entities":{"entityType":"x"}}', None),
        ("memory.json", '["entityType", "entities"]', None),
        ("memory.json", '{"entities": 1', None),
    ],
)
def test_files_are_known_by_what_they_hold(name: str, head: str, answer: object) -> None:
    assert recognise(Path("x") / name, head.encode()) is answer


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/srv/oak/memory.jsonl", "oak/memory.jsonl"),
        ("/srv/oak/.mcp/memory.json", "oak/.mcp/memory.json"),
        ("/memory.json", "memory.json"),
        ("/.mcp/memory.json", ".mcp/memory.json"),
    ],
)
def test_a_file_is_named_from_its_projects_folder_on(path: str, name: str) -> None:
    assert name_of(Path(path)) == name


def test_a_file_lands_once_wherever_it_lies(home: Path, folder: Path) -> None:
    for place in ("here", "there"):
        write_state(folder / place / "oak-bakery/memory.jsonl", state(STATES[0]), 0)
        report = land_into(home, folder / place)
        assert report.new_records == (4 if place == "here" else 0)
    assert land_into(home, folder).new_records == 0


def test_a_rewritten_file_gives_its_new_lines_and_its_new_state(home: Path, folder: Path) -> None:
    file = folder / "oak-bakery/memory.jsonl"
    write_state(file, state(STATES[0]), 0)
    land_into(home, file)
    write_state(file, state(STATES[1]), 1)
    assert land_into(home, file).new_records == 2
    assert len(payloads(home, ENTRIES)) == 4
    assert [len(json.loads(text)["lines"]) for text in payloads(home, FILES)] == [3, 3]


def test_a_broken_line_is_refused_alone_and_its_file_tells_of_no_state(
    home: Path, folder: Path
) -> None:
    lines = [ENTITY.replace('"c"', f'"c{number}"') for number in range(14)]
    torn = '{"type":"entity","na'
    write_state(folder / "x/memory.jsonl", "\n".join([*lines[:7], torn, *lines[7:]]) + "\n", 0)
    write_state(folder / "y/memory.jsonl", "\n".join([lines[0], torn + lines[1], ""]), 0)
    write_state(folder / "z/memory.jsonl", "\n".join([lines[0], torn]), 0)
    report = land_into(home, folder)
    assert (len(payloads(home, ENTRIES)), report.rejects, report.torn) == (16, 2, 1)
    assert query(home, "select distinct source_entity, reason from raw.rejects") == [
        (ENTRIES, "unparsable JSON")
    ]
    assert payloads(home, FILES) == []


@pytest.mark.parametrize(
    "text", ['{\n"entities": [\n"entityType"', '{"entities":[],"relations":1}']
)
def test_a_broken_document_is_refused_whole(home: Path, folder: Path, text: str) -> None:
    write_state(folder / "x/memory.json", text, 0)
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (0, 1)


def test_observations_and_relations_become_memories(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select event_kind, metadata->>'project_name', metadata->>'entity_name', content,"
        " count(*)::int, count(distinct event_id)::int from staging.stg_mcp_memory__events"
        " group by all order by all",
    )
    new_port = STATES[1][0]
    assert rows == [
        ("memory", "oak-bakery", "bakery", FLOUR, 3, 1),
        ("memory", "oak-bakery", "bakery", PORT, 1, 1),
        ("memory", "oak-bakery", "bakery", new_port, 2, 1),
        ("memory", "oak-bakery", "bakery", OVEN, 2, 1),
        ("memory", "oak-bakery", None, "mill delivers to bakery", 1, 1),
        ("memory", "oak-dairy", "oak-dairy", "The dairy prints its labels at night", 1, 1),
        ("memory", "oak-joinery", "lathe", "The lathe needs oil weekly", 1, 1),
        ("memory", "oak-joinery", "lathe", "The lathe runs at 900 turns", 1, 1),
        ("memory", "oak-joinery", None, "lathe STANDS_IN shop", 1, 1),
        ("system", "oak-bakery", "mill", "mill", 1, 1),
    ]


def test_an_observation_says_what_it_is_about(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select context_description, text from marts.facts where source_system = 'mcp_memory'"
        " and (text like 'The lathe runs%' or text like 'mill delivers%') order by text",
    )
    assert rows == [("lathe", "The lathe runs at 900 turns"), (None, "mill delivers to bakery")]


def test_every_memory_is_a_fact_and_a_bare_name_is_none(built_sources: Path) -> None:
    assert query(
        built_sources,
        "select count(distinct fact_id)::int from marts.fact_sources"
        " where source_system = 'mcp_memory'",
    ) == [(9,)]
    assert query(
        built_sources,
        "select count(*)::int from marts.rejections where source_system = 'mcp_memory'",
    ) == [(1,)]


def test_later_states_supersede_and_retire(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "with texts as (select distinct native_id, content from staging.stg_mcp_memory__events)"
        " select kind, old.content, new.content, epoch(changes.occurred_at)::bigint"
        " from staging.stg_mcp_memory__changes as changes"
        " inner join texts as old on changes.target_native_id = old.native_id"
        " left join texts as new on changes.replacement_native_id = new.native_id order by all",
    )
    assert rows == [
        ("retire", OVEN, None, 1_780_007_200),
        ("supersede", PORT, STATES[1][0], 1_780_003_600),
    ]


def test_captures_land_twice_as_nothing(home: Path, folder: Path) -> None:
    write(folder)
    assert land_into(home, folder).new_records == 13
    assert land_into(home, folder).new_records == 0


def test_real_chains_land_without_a_refusal(home: Path, shared: Path) -> None:
    real = shared / "real/mcp_memory"
    report = land_into(home, real)
    assert (report.rejects, report.skipped, report.failed) == (0, (), ())
    assert len(payloads(home, FILES)) == 25


def test_a_file_of_another_encoding_is_refused_and_tells_of_no_state(
    home: Path, folder: Path
) -> None:
    file = folder / "x/memory.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(ENTITY.encode() + b"\n" + ENTITY.replace("c", "é").encode("utf-16-le") + b"\n")
    report = land_into(home, folder)
    assert (payloads(home, ENTRIES), payloads(home, FILES), report.failed) == ([ENTITY], [], ())
