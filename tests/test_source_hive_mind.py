"""hive-mind: minds with their archive, and subjects that stay erased."""

import shutil
import sqlite3
from pathlib import Path

from captures import hive_mind as captured
from landing_home import land_into, query


def new(home: Path, *paths: Path) -> dict[str, int]:
    """New records by source entity of one landing, without zeros."""
    report = land_into(home, *paths)
    assert report.failed == ()
    return {one.source_entity: one.new_records for one in report.entities if one.new_records}


def test_a_mind_lands_once_and_a_copy_lands_what_changed(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    captured.write_mind(folder / "workspace.mind", is_erased=False)
    assert new(home, folder) == {
        "hive_mind__memory_frames": 8,
        "hive_mind__raw_archive": 2,
        "hive_mind__sessions": 1,
    }
    assert new(home, folder) == {}
    shutil.copytree(folder, tmp_path / "moved")
    assert new(home, tmp_path / "moved") == {}
    captured.write_mind(tmp_path / "erased/workspace.mind", is_erased=True)
    assert new(home, tmp_path / "erased") == {
        "hive_mind__raw_archive": 1,
        "hive_mind__erased_subjects": 1,
    }


def test_an_older_mind_has_frames_alone(home: Path, folder: Path) -> None:
    captured.write_mind(folder / "workspace.mind", is_erased=False)
    with sqlite3.connect(folder / "workspace.mind") as connection:
        for table in ("raw_archive", "erased_subjects", "sessions"):
            connection.execute(f"drop table {table}")
    connection.close()
    assert new(home, folder) == {"hive_mind__memory_frames": 8}


def test_what_was_erased_gives_no_fact_whatever_copy_was_landed(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select source_entity, native_id, text from marts.rejections"
        " where source_system = 'hive_mind' and rule_id = 'erased_subject' order by all",
    )
    assert [(entity, native_id.split("/")[:2], text) for entity, native_id, text in rows] == [
        ("memory_frames", ["gop-1", "2"], ""),
        ("memory_frames", ["gop-1", "3"], ""),
        ("memory_frames", ["gop-1", "4"], ""),
        ("raw_archive", [captured.BLANKED], ""),
        ("raw_archive", ["c" * 64], ""),
    ]
    facts = query(
        built_sources,
        "select text, capture_count from marts.facts where source_system = 'hive_mind'"
        " order by all",
    )
    assert facts == [
        ("On Sunday it opens at ten", 1),
        ("Opening hours of the greenhouse", 1),
        ("The greenhouse opens at nine", 2),
        ("The old pump feeds bed two", 1),
        ("Water on Monday", 1),
    ]


def test_changes_retire_what_was_deprecated_or_erased(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select target_native_id, kind, metadata ->> '$.operation',"
        " occurred_at::varchar from staging.stg_hive_mind__changes order by all",
    )
    assert [(target.split("/")[:2], *rest) for target, *rest in rows] == [
        ([captured.BLANKED], "retire", "erasure", "2026-06-07 10:00:00"),
        (["c" * 64], "retire", "erasure", "2026-06-07 10:00:00"),
        (["gop-1", "2"], "retire", "erasure", None),
        (["gop-1", "3"], "retire", "erasure", None),
        (["gop-1", "4"], "retire", "erasure", None),
        (["gop-1", "6"], "retire", "importance", None),
    ]
    unknown = query(
        built_sources,
        "select count(*) from staging.stg_hive_mind__changes where target_native_id not in"
        " (select native_id from intermediate.int_events_unioned)",
    )
    assert unknown == [(0,)]


def test_a_session_names_the_project_of_its_frames(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select metadata ->> '$.project_name', count(*) from staging.stg_hive_mind__events"
        " group by all",
    )
    assert rows == [("greenhouse", 8)]
