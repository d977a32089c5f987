"""basic-memory: its index, a note that moves and is edited, what its states tell."""

import json
import sqlite3
from pathlib import Path

import pytest
from captures.basic_memory import FIRST_MOMENT, HOUR, LOOM, NEW_WARP, WARP, WEFT, index, write
from landing_home import database, land_into, payloads, query

from tamis.sources.basic_memory import INDEX, recognise

NOTES = "basic_memory__notes"


@pytest.mark.parametrize(
    ("name", "tables", "answer"),
    [
        (".basic-memory/memory.db", ("other(x)",), INDEX),
        ("other.db", ("entity(id)", "observation(id)", "relation(id)"), None),
        (
            "backup.db",
            ("entity(id, permalink, file_path)", "observation(id)", "relation(id)"),
            INDEX,
        ),
    ],
)
def test_an_index_is_known_by_its_place_or_its_tables(
    tmp_path: Path, name: str, tables: tuple[str, ...], answer: object
) -> None:
    path = tmp_path / name
    assert recognise(path, database(path, *tables)) is answer
    assert recognise(path, b"no database") is None


def test_a_note_lands_with_what_belongs_to_it(home: Path, folder: Path) -> None:
    index(folder / "memory.db", [WARP, WEFT])
    land_into(home, folder)
    note = json.loads(payloads(home, NOTES)[0])
    assert note["observation"] == [
        {"category": "fact", "content": text, "context": None, "tags": '["cloth"]'}
        for text in (WARP, WEFT)
    ]
    assert note["relation"] == [
        {"relation_type": "supplied by", "to_name": "Dye house", "context": None}
    ]
    assert note["project"] == [{"name": "weaving", "path": "/srv/weaving"}]
    assert note["note_content"][0]["markdown_content"].startswith("# Loom\n\n- [fact] ")


def test_a_sync_that_only_numbers_rows_anew_lands_nothing(home: Path, folder: Path) -> None:
    index(folder / "memory.db", [WARP, WEFT])
    assert land_into(home, folder).new_records == 1
    index(folder / "memory.db", [WARP, WEFT], first_row=40, modified=FIRST_MOMENT + HOUR)
    assert land_into(home, folder).new_records == 0
    (folder / "memory.db").rename(folder / "copy.db")
    assert land_into(home, folder).new_records == 0


def test_an_index_of_few_columns_and_tables_lands(home: Path, folder: Path) -> None:
    folder.mkdir()
    file = folder / ".basic-memory/memory.db"
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute("create table entity (id integer primary key, file_path, permalink)")
        connection.execute("create table observation (entity_id, content)")
        connection.execute("insert into entity values (1, 'a.md', 'a')")
        connection.execute("insert into observation values (1, 'x \"quoted\"'), (2, 'of another')")
    connection.close()
    land_into(home, folder)
    assert [json.loads(text) for text in payloads(home, NOTES)] == [
        {
            "id": 1,
            "file_path": "a.md",
            "permalink": "a",
            "observation": [{"content": 'x "quoted"'}],
        }
    ]


def test_a_moved_and_edited_note_is_one_memory_with_a_path_history(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select note_key, state::int, file_path, permalink from staging.stg_basic_memory__notes"
        " order by state",
    )
    assert rows == [
        ("weaving/notes/loom", 1, "notes/loom.md", "notes/loom"),
        ("weaving/notes/loom", 2, "archive/loom.md", "archive/loom"),
        ("weaving/notes/loom", 3, "archive/loom.md", "archive/loom"),
        ("weaving/notes/loom", 4, "archive/loom.md", "archive/loom"),
    ]
    notes = query(
        built_sources,
        "select sighting_count::int, is_changed, content, metadata->>'file_paths'"
        " from intermediate.int_events_unioned"
        " where source_system = 'basic_memory' and (metadata->>'memory_kind') = 'note'",
    )
    lines = "\n".join(f"- [fact] {text} #cloth" for text in (NEW_WARP, WEFT, LOOM))
    text = f"# Loom\n\n{lines}"
    assert notes == [(4, True, text, '["archive/loom.md","notes/loom.md"]')]


def test_observations_and_relations_become_memories(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select content, metadata->>'category', metadata->>'tags', occurred_at::varchar,"
        " cwd, count(*)::int, count(distinct event_id)::int"
        " from staging.stg_basic_memory__events where (metadata->>'memory_kind') <> 'note'"
        " group by all order by all",
    )
    nine, half = "2026-05-04 09:00:00", "2026-05-04 09:30:00"
    cwd = "/srv/weaving"
    assert rows == [
        ("Loom supplied by Dye house", "supplied by", None, nine, cwd, 4, 1),
        (LOOM, "fact", '["cloth"]', nine, cwd, 3, 1),
        (WARP, "fact", '["cloth"]', nine, cwd, 2, 1),
        (NEW_WARP, "fact", '["cloth"]', half, cwd, 2, 1),
        (WEFT, "fact", '["cloth"]', nine, cwd, 4, 1),
    ]


def test_edits_replace_retire_and_bring_back(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "with texts as (select distinct native_id, content from staging.stg_basic_memory__events)"
        " select kind, old.content, new.content, changes.occurred_at::varchar"
        " from staging.stg_basic_memory__changes as changes"
        " inner join texts as old on changes.target_native_id = old.native_id"
        " left join texts as new on changes.replacement_native_id = new.native_id order by all",
    )
    assert rows == [
        ("reopen", LOOM, None, "2026-05-04 09:45:00"),
        ("retire", LOOM, None, "2026-05-04 09:30:00"),
        ("supersede", WARP, NEW_WARP, "2026-05-04 09:30:00"),
    ]


def test_captures_land_twice_as_nothing(home: Path, folder: Path) -> None:
    write(folder)
    assert land_into(home, folder).new_records == 4
    assert land_into(home, folder).new_records == 0
