"""What is published of a history projects to what the history itself does."""

import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from handmade_memory import garden, write_memory
from hypothesis import given
from hypothesis import strategies as st
from published_marts import contracts
from replays import cases
from replays.memory_git import REPLAYS, memory_context
from test_memory_git import repositories

from tamis.context.accepted import repository_at
from tamis.memory_git.context import MemoryContext
from tamis.memory_git.published import records_of, repository_from
from tamis.memory_git.records import Repository


def told(context: MemoryContext) -> dict[str, Any]:
    """All of a context but the payloads, of which records keep what a projection reads."""
    found = asdict(context)
    for memory in found["memories"]:
        memory["payload"] = None
        memory["evidence"] = len(memory["evidence"])
        memory["verification"] = len(memory["verification"])
    return found


@given(repositories(), st.randoms(use_true_random=False))
def test_any_history_is_projected_from_its_records_as_from_itself(
    one: Repository, order: random.Random
) -> None:
    records = records_of(one)
    again = repository_from(one.project_id, order.sample(records, len(records)))
    for head in memory_context(one).history:
        then = memory_context(one, head=head, query="water seven", limit=100)
        assert told(memory_context(again, head=head, query="water seven", limit=100)) == told(then)


def test_records_go_through_a_published_file(home: Path) -> None:
    published = write_memory(home, histories=[garden(), replace(garden(), project_id="other")])
    again = repository_at(published, "garden")
    assert told(memory_context(again)) == told(memory_context(garden()))
    assert {name for record in records_of(garden()) for name in record} <= set(
        contracts()["memory_records"]
    )


def test_every_case_of_a_projection_holds_for_what_is_published(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = cases(shared, "lethe/dag_projection")
    replay = REPLAYS["lethe/dag_projection"]
    answers = replay(found)

    def of_published(repository: Repository, *arguments: Any) -> MemoryContext:
        again = repository_from(repository.project_id, records_of(repository))
        return memory_context(again, *arguments)

    monkeypatch.setattr("replays.memory_git.memory_context", of_published)
    for answer, again in zip(answers, replay(found), strict=True):
        # A parent of another project is none of what this one publishes.
        if again != answer:
            assert "belongs to project" in answer["error"]
            assert "not found" in again["error"]


@pytest.fixture
def built(built_sources: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(built_sources / "tamis.duckdb"), read_only=True) as connection:
        yield connection


def test_the_mart_holds_what_a_projection_of_the_landed_database_needs(
    built: duckdb.DuckDBPyConnection,
) -> None:
    rows = built.execute("select * from marts.memory_records").pl()
    garden_rows = rows.filter(project_name="garden").drop("memory_record_id", "project_name")
    again = repository_from("garden", garden_rows.iter_rows(named=True))
    found = memory_context(again, query="when to water")
    assert (found.head_changeset_id, len(found.history)) == ("cs-left", 4)
    assert found.memories[0].content == "Water at eight"
    shown = built.execute(
        "select content from marts.memory_history where project_name = 'garden'"
        " and next_order is null and is_shown order by content"
    ).fetchall()
    assert sorted(memory.content for memory in found.memories) == [text for (text,) in shown]
    # An event that no root accepted was never accepted memory.
    assert "evt-8" not in set(rows["event_id"])
    assert set(rows.columns) >= set(contracts()["memory_records"])
