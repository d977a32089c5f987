"""The checkpoint runs inside DuckDB, sees what it should, and never mistakes a crash for a pass."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tamis import validate
from tamis.build import load_manifest
from tamis.validate import Expectation, Outcome


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("warehouse") / "tamis.duckdb"
    connection = duckdb.connect(str(path))
    connection.execute("create schema marts")
    connection.execute("create table marts.facts as select 'f' || i as fact_id from range(5) t(i)")
    connection.execute("insert into marts.facts values ('f1'), (null)")
    connection.close()
    return path


def outcomes(folder: Path, warehouse: Path, *expected: Expectation) -> list[Outcome]:
    results: list[Any] = validate._run_checkpoint(folder, warehouse, list(expected))
    return [validate._outcome(*pair) for pair in zip(expected, results, strict=True)]


def test_every_kind_of_expectation_is_evaluated(tmp_path: Path, warehouse: Path) -> None:
    found = outcomes(
        tmp_path,
        warehouse,
        Expectation("marts.facts", "keys are unique", "unique", "fact_id"),
        Expectation("marts.facts", "keys are set", "not_null", "fact_id"),
        Expectation("marts.facts", "columns", "columns", ("fact_id",)),
        Expectation("marts.facts", "other columns", "columns", ("fact_id", "text")),
        Expectation("marts.facts", "none", "rows", "select fact_id from marts.facts where false"),
        Expectation(
            "marts.facts",
            "braces and colons are text",
            "rows",
            "select fact_id from marts.facts"
            " where regexp_matches(fact_id, '(?:f|:name){1}1') and '{x}' <> ':y'",
        ),
    )
    assert [outcome.problem for outcome in found] == [""] * 6
    assert [outcome.success for outcome in found] == [False, False, True, False, True, False]
    assert [found[0].offenders, found[1].offenders, found[5].offenders] == [2, 1, 2]


def test_a_query_that_fails_is_a_failure_with_its_reason(tmp_path: Path, warehouse: Path) -> None:
    (found,) = outcomes(
        tmp_path,
        warehouse,
        Expectation("marts.facts", "no such column", "rows", "select nothing from marts.facts"),
    )
    assert not found.success
    assert found.problem


def test_rows_are_read_before_the_connection_is_closed(warehouse: Path) -> None:
    """Without the hook, a DuckDB result that is read after its connection is empty."""
    import sqlalchemy

    validate.buffer_duckdb_results()
    engine = sqlalchemy.create_engine(f"duckdb:///{warehouse}", connect_args={"read_only": True})
    with engine.connect() as connection:
        result = connection.execute(sqlalchemy.text("select count(*) from marts.facts"))
    assert result.fetchall() == [(7,)]
    engine.dispose()


def test_the_demo_meets_every_expectation(demo: tuple[Path, str]) -> None:
    report = validate.check(demo[0])
    assert [outcome.problem for outcome in report.outcomes if outcome.problem] == []
    assert report.failures == ()
    sentences = {outcome.expectation.sentence for outcome in report.outcomes}
    assert "no two current facts of one scope share a body" in sentences
    assert len(report.outcomes) == len(validate.expectations(load_manifest(demo[0])))
    assert report.data_docs.is_file()
