"""The real models in a plain DuckDB, without dbt: a whole build of a few records in seconds.

Templates are rendered as dbt renders them, as far as tamis's models and macros need it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import jinja2
import jinja2.runtime
import yaml

from tamis import recency

PROJECT = Path(__file__).resolve().parents[1]
MACROS = PROJECT / "macros"
VARIABLES = {"user_id": "default", "capture_window_seconds": 60, "run_id": "test"}


class Returned(Exception):
    """What a macro's `return` hands over, as in dbt."""


class ReturningMacro(jinja2.runtime.Macro):
    """A macro that may end in `return`."""

    def _invoke(self, arguments: list[Any], autoescape: bool) -> Any:
        try:
            return super()._invoke(arguments, autoescape)
        except Returned as returned:
            return returned.args[0]


def returned(value: Any) -> None:
    raise Returned(value)


@cache
def model_files() -> dict[str, Path]:
    return {file.stem: file for file in (PROJECT / "models").rglob("*.sql")}


@cache
def raw_tables() -> dict[tuple[str, str], str]:
    """The DDL of each raw table, by source and table."""
    declared = yaml.safe_load((PROJECT / "models/staging/_sources.yml").read_text())["sources"]
    return {
        (source["name"], table["name"]): f"raw.{table.get('identifier', table['name'])}"
        for source in declared
        for table in source["tables"]
    }


@cache
def seed_columns() -> dict[str, dict[str, str]]:
    """The type of each column of each seed."""
    declared = yaml.safe_load((PROJECT / "seeds/_seeds.yml").read_text())["seeds"]
    return {seed["name"]: seed["config"]["column_types"] for seed in declared}


class PlainBuild:
    """One DuckDB in memory with the models that were asked for, and what they read.

    Attributes:
        engine: the connection; a model is a table of the schema `built`.
    """

    def __init__(self, rules: Path = MACROS / "rules") -> None:
        """An empty build.

        Args:
            rules: folder of the rendered rules.
        """
        self.engine = duckdb.connect()
        self.engine.execute("set TimeZone = 'UTC'; create schema raw; create schema built")
        recency.register(self.engine)
        self.built: set[str] = set()
        for table in raw_tables().values():
            self.engine.execute(
                f"create table {table} (record_id varchar, container varchar, origin varchar,"
                " position bigint, payload varchar, origin_modified_at timestamp,"
                " landed_at timestamp, landing_id varchar)"
            )
        environment = jinja2.Environment(autoescape=False, extensions=["jinja2.ext.do"])
        environment.globals |= {
            "ref": self.ref,
            "source": lambda source, table: raw_tables()[source, table],
            "var": lambda name, default=None: VARIABLES.get(name, default),
            "return": returned,
            "tojson": json.dumps,
            "is_incremental": lambda: False,
            "invocation_id": "test",
        }
        files = [file for file in MACROS.rglob("*.sql") if file.parent.name != "rules"]
        files += rules.glob("*.sql")
        macros = "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))
        with patch("jinja2.runtime.Macro", ReturningMacro):
            module = environment.from_string(macros).module
        environment.globals |= {
            name: macro
            for name, macro in vars(module).items()
            if isinstance(macro, jinja2.runtime.Macro)
        }
        self.environment = environment

    def land(self, table: str, payloads: Iterable[Mapping[str, Any]], container: str = "c") -> None:
        """Land payloads in a raw table, each at a position of its own."""
        rows = [
            [f"{table}/{container}/{number}", container, "file", number, json.dumps(payload)]
            for number, payload in enumerate(payloads)
        ]
        if not rows:
            return
        self.engine.executemany(
            f"insert into raw.{table} values (?, ?, ?, ?, ?, null, timestamp '2026-06-02', 'l')",
            rows,
        )

    def give(self, model: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Take these rows for a model's; each column is `name type`."""
        self.engine.execute(f"create table built.{model} ({', '.join(columns)})")
        if rows:
            marks = ", ".join("?" * len(columns))
            self.engine.executemany(f"insert into built.{model} values ({marks})", list(rows))
        self.built.add(model)

    def build(self, *models: str) -> None:
        """Build models and all that they read."""
        for model in models:
            self.ref(model)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; `{model}` in it is that model's table."""
        return self.engine.execute(self.rendered(query)).fetchall()

    def ref(self, model: str) -> str:
        """A model's or a seed's table, built where it is not yet."""
        if model not in self.built:
            self.built.add(model)
            file = model_files().get(model)
            if file is None:
                seed = PROJECT / "seeds" / f"{model}.csv"
                query = (
                    f"select * from read_csv('{seed}', header = true,"
                    f" columns = {seed_columns()[model]!r})"
                )
            else:
                query = self.rendered(file.read_text(encoding="utf-8"))
            self.engine.execute(f"create table built.{model} as {query}")
        return f"built.{model}"

    def rendered(self, template: str) -> str:
        """The SQL of a template."""
        return self.environment.from_string(template).render()
