"""A fact's life line, the graph of changesets, and the head of a day."""

from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from handmade_history import COMMITTED, changesets, write_history
from handmade_memory import SOWER, garden

from tamis.history import changeset_graph, head_at, life_line
from tamis.memory_git.history import HistoryError
from tamis.memory_git.records import SHARED_MAIN


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_history(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("fact_id", ["one", "two", "one again"])
def test_a_life_line_holds_all_versions_and_what_replaced_them(
    published: Path, fact_id: str
) -> None:
    line = life_line(published, fact_id)
    assert line["fact_id"].to_list() == ["one", "two", "one again"]
    assert line["kind"].to_list() == ["supersede", "supersede", None]
    assert line["reason"].to_list() == ["the port moved", "it moved back", None]


def test_a_fact_that_nothing_changed_has_a_line_of_its_own(published: Path) -> None:
    assert life_line(published, "elsewhere")["fact_id"].to_list() == ["elsewhere"]
    assert life_line(published, "unknown").is_empty()


def test_the_graph_of_the_garden_has_a_lane_for_the_branch_that_nobody_merged() -> None:
    placed, edges = changeset_graph(pl.DataFrame(changesets()))
    at = {row["changeset_id"]: (row["step"], row["lane"]) for row in placed.iter_rows(named=True)}
    assert at == {
        "root": (0, 0),
        "add": (1, 0),
        "left": (2, 0),
        "right": (2, 1),
        "merge": (3, 0),
        "wish": (4, 1),
    }
    assert len(edges) == 6


def test_a_graph_gives_branches_lanes_and_survives_circles_and_missing_parents() -> None:
    rows = [
        ("root", [], 0),
        ("left", ["root"], 1),
        ("merge", ["left", "right"], 3),
        ("right", ["root"], 2),
        ("wish", ["merge"], None),
        ("another wish", ["merge"], None),
        ("lost", ["never landed"], None),
        ("a", ["b"], None),
        ("b", ["a"], None),
    ]
    changesets = pl.DataFrame(
        rows, schema=["changeset_id", "parent_ids", "history_position"], orient="row"
    )
    placed, edges = changeset_graph(changesets)
    at = {row["changeset_id"]: (row["step"], row["lane"]) for row in placed.iter_rows(named=True)}
    assert [at[one] for one in ("root", "left", "merge")] == [(0, 0), (1, 0), (2, 0)]
    assert at["right"] == (1, 1) or at["right"] == (1, 2)
    assert {at["wish"], at["another wish"]} == {(3, 1), (3, 2)}
    assert at["lost"][0] == 0
    assert {at["a"][0], at["b"][0]} == {0, 1}
    assert len(set(at.values())) == len(rows), "no two stand in one place"
    assert len(edges) == 8


def test_a_ref_had_the_head_that_was_made_by_then() -> None:
    for day, head in (
        (1, "root"),
        (2, "add"),
        (3, "left"),
        (4, "left"),
        (5, "merge"),
        (9, "merge"),
    ):
        assert head_at(garden(), SHARED_MAIN, datetime(2026, 1, day), COMMITTED) == head
    assert head_at(garden(), SOWER, datetime(2026, 1, 9), COMMITTED) == "wish"
    assert head_at(garden(), SHARED_MAIN, datetime(2025, 12, 31), COMMITTED) is None
    with pytest.raises(HistoryError, match="ref not found"):
        head_at(garden(), "refs/none", datetime(2026, 1, 1), COMMITTED)
