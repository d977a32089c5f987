"""The checkpoint between build and publish: the invariants once more, by Great Expectations.

The expectations run inside DuckDB, on the raw tables and the built marts; nothing is copied to
a data frame. Results and Data Docs hold ids and counts, never a memory's text.
"""

import os
import re
import shutil
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.build import (
    compiled_invariants,
    load_manifest,
    mart_columns,
    raw_tables,
    without_text,
)
from tamis.errors import ENVIRONMENT, TamisError
from tamis.warehouse import warehouse_path

CHECKPOINT = "before_publishing"
DATA_SOURCE = "warehouse"
BOUND_NAME = re.compile(r"(?<![:\w\\]):(?=\w)")


@dataclass(frozen=True)
class Expectation:
    """One thing that must hold of a table.

    Args:
        table: what it speaks of, `schema.table`.
        sentence: what must be true, in words.
        kind: `unique` and `not_null` of a column, `columns` of a table's contract, `rows` of a
            query that must return none.
        detail: the column, the columns, or the query.
    """

    table: str
    sentence: str
    kind: str
    detail: Any


@dataclass(frozen=True)
class Outcome:
    """What became of one expectation. `offenders` counts rows; `problem` is set where it could
    not be evaluated at all."""

    expectation: Expectation
    success: bool
    offenders: int
    problem: str


@dataclass(frozen=True)
class CheckReport:
    """All outcomes of one checkpoint run, and the first page of its Data Docs."""

    outcomes: tuple[Outcome, ...]
    data_docs: Path

    @property
    def failures(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if not outcome.success)


def expectations(manifest: Mapping[str, Any]) -> list[Expectation]:
    """What is expected of the raw tables, of every mart's contract, and of `tests/invariants`.

    Args:
        manifest: dbt's manifest of the build, with compiled code.
    """
    expected = []
    for table in raw_tables(manifest):
        expected.append(Expectation(table, "record ids are unique", "unique", "record_id"))
        expected.append(Expectation(table, "record ids are set", "not_null", "record_id"))
    for mart, columns in mart_columns(manifest).items():
        expected.append(Expectation(mart, "the columns are its contract's", "columns", columns))
        expected.append(Expectation(mart, "its keys are unique", "unique", columns[0]))
        expected.append(Expectation(mart, "its keys are set", "not_null", columns[0]))
    for name, query in compiled_invariants(manifest).items():
        expected.append(Expectation("marts.facts", name.replace("_", " "), "rows", query))
    return expected


def check(home: Path, more: Sequence[Expectation] = ()) -> CheckReport:
    """Run the checkpoint on a home's last build, and write its Data Docs to `<home>/gx`.

    Args:
        home: the home folder.
        more: what is expected beside what the project says.

    Raises:
        TamisError: exit 3 where there is no build to check.
    """
    if not warehouse_path(home).exists():
        raise TamisError(f"nothing is built in {home}: run `tamis build` first", ENVIRONMENT)
    expected = [*expectations(load_manifest(home)), *more]
    folder = home / "gx"
    # The suites are derived from the project every time: a stale one must not outlive its table.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    results = _run_checkpoint(folder, warehouse_path(home), expected)
    outcomes = tuple(
        _outcome(expectation, result) for expectation, result in zip(expected, results, strict=True)
    )
    return CheckReport(outcomes, folder / "data_docs" / "index.html")


def buffer_duckdb_results() -> None:
    """Read DuckDB's rows as soon as a statement has run.

    Great Expectations reads a result after its connection is closed, when a DuckDB cursor has
    nothing more to give, and every metric would fail (great_expectations issues 10738, 11579).
    """
    from sqlalchemy import event
    from sqlalchemy.engine import Engine
    from sqlalchemy.engine.cursor import FullyBufferedCursorFetchStrategy

    def buffer_rows(
        connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool
    ) -> None:
        if connection.dialect.name == "duckdb" and not many and cursor.description:
            context.cursor_fetch_strategy = FullyBufferedCursorFetchStrategy(
                cursor,
                alternate_description=cursor.description,
                initial_buffer=cursor.fetchall(),
            )

    if not getattr(buffer_duckdb_results, "is_listening", False):
        event.listen(Engine, "after_cursor_execute", buffer_rows)
        buffer_duckdb_results.is_listening = True  # type: ignore[attr-defined]


def _run_checkpoint(folder: Path, warehouse: Path, expected: list[Expectation]) -> list[Any]:
    """The validation result of every expectation, in their order."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    warnings.filterwarnings("ignore", module=r"(great_expectations|duckdb_engine|sqlalchemy).*")
    import great_expectations as gx

    buffer_duckdb_results()
    context = gx.get_context(mode="file", project_root_dir=str(folder))
    context.variables.progress_bars = {"globally": False}  # type: ignore[assignment]
    source = context.data_sources.add_sql(
        DATA_SOURCE,
        connection_string=f"duckdb:///{warehouse}",
        create_temp_table=False,
        kwargs={"connect_args": {"read_only": True}},  # type: ignore[call-arg]
    )
    validations = []
    for table in dict.fromkeys(expectation.table for expectation in expected):
        schema, name = table.split(".")
        batch = source.add_table_asset(table, table_name=name, schema_name=schema)
        suite = context.suites.add(gx.ExpectationSuite(name=table))
        for number, expectation in enumerate(expected):
            if expectation.table == table:
                suite.add_expectation(_as_gx(expectation, number))
        validations.append(
            context.validation_definitions.add(
                gx.ValidationDefinition(
                    name=table, data=batch.add_batch_definition_whole_table("all"), suite=suite
                )
            )
        )
    context.add_data_docs_site(
        "local",
        {
            "class_name": "SiteBuilder",
            "store_backend": {
                "class_name": "TupleFilesystemStoreBackend",
                "base_directory": str(folder / "data_docs"),
            },
            "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        },
    )
    checkpoint = context.checkpoints.add(
        gx.Checkpoint(
            name=CHECKPOINT,
            validation_definitions=validations,
            result_format={"result_format": "BASIC", "partial_unexpected_count": 10},
        )
    )
    run = checkpoint.run()
    # The checkpoint's own action would write the first page, and compile every template, once
    # for each table.
    context.build_data_docs(site_names=["local"])
    # Another connection of this process could not open the file with other settings.
    source.get_execution_engine().close()
    source.get_engine().dispose()
    return _in_order(run, expected)


def _as_gx(expectation: Expectation, number: int) -> Any:
    """An expectation in the library's own terms, carrying its number in the list."""
    import great_expectations.expectations as gxe

    shared: dict[str, Any] = {"meta": {"number": number}, "description": expectation.sentence}
    if expectation.kind == "unique":
        return gxe.ExpectColumnValuesToBeUnique(column=expectation.detail, **shared)
    if expectation.kind == "not_null":
        return gxe.ExpectColumnValuesToNotBeNull(column=expectation.detail, **shared)
    if expectation.kind == "columns":
        return gxe.ExpectTableColumnsToMatchSet(
            column_set=list(expectation.detail), exact_match=True, **shared
        )
    # The library formats the query and binds `:names` in it, and it warns where the query does
    # not name the table that it is run on.
    query = str(expectation.detail).replace("{", "{{").replace("}", "}}")
    query = BOUND_NAME.sub(r"\\\g<0>", query)
    return gxe.UnexpectedRowsExpectation(
        unexpected_rows_query=f"select * from ({query}) as offenders"
        " where (select count(*) from {batch}) >= 0",
        **shared,
    )


def _in_order(run: Any, expected: list[Expectation]) -> list[Any]:
    results: list[Any] = [None] * len(expected)
    for validation in run.run_results.values():
        for result in validation.results:
            results[result.expectation_config.meta["number"]] = result
    return results


def _outcome(expectation: Expectation, result: Any) -> Outcome:
    problem = without_text(exception_message(result))
    detail = result.result or {}
    counted = detail.get("observed_value" if expectation.kind == "rows" else "unexpected_count")
    return Outcome(expectation, bool(result.success) and not problem, int(counted or 0), problem)


def exception_message(result: Any) -> str:
    """The exception that a validation result carries, or an empty text.

    A result that could not be computed looks like one that merely failed, and its exception
    comes in two shapes: flat, or keyed by the metric that raised it.
    """
    info = result.exception_info or {}
    shapes = [info, *(value for value in info.values() if isinstance(value, dict))]
    for shape in shapes:
        if shape.get("raised_exception"):
            return str(shape.get("exception_message"))
    return ""


def in_words(outcome: Outcome) -> str:
    """A failed outcome in one line: the table, what is not true of it, and of how many rows."""
    expectation = outcome.expectation
    reason = outcome.problem or f"{outcome.offenders} offenders"
    return f"{expectation.table}: not true that {expectation.sentence} ({reason})"


def as_json(report: CheckReport) -> list[dict[str, Any]]:
    """The outcomes as plain data, for `--json`."""
    return [
        {
            "table": outcome.expectation.table,
            "expectation": outcome.expectation.sentence,
            "success": outcome.success,
            "offenders": outcome.offenders,
            "problem": outcome.problem,
        }
        for outcome in report.outcomes
    ]
