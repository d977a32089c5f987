"""The real models in a plain DuckDB, without dbt: a whole build of a few records in seconds.

Templates are rendered as dbt renders them, as far as tamis's models and macros need it.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import jinja2
import jinja2.runtime
import yaml
from duckdb.sqltypes import VARCHAR

from tamis import recency
from tamis.memory_git.rows import history_rows

PROJECT = Path(__file__).resolve().parents[1]
MACROS = PROJECT / "macros"
EVENT_COLUMNS = {
    **dict.fromkeys(
        ("event_id", "source_system", "source_entity", "native_id", "part", "parent_native_id"),
        "varchar",
    ),
    **dict.fromkeys(
        ("session_key", "session_id", "turn_id", "agent_id", "user_id", "role", "event_kind"),
        "varchar",
    ),
    **dict.fromkeys(("trigger_kind", "cwd", "git_branch", "content"), "varchar"),
    "occurred_at": "timestamp",
    "landed_at": "timestamp",
    "record_id": "varchar",
    "metadata": "json",
}
CHANGE_COLUMNS = {
    **dict.fromkeys(
        ("change_id", "source_system", "target_native_id", "replacement_native_id", "kind"),
        "varchar",
    ),
    "reason": "varchar",
    "actor": "varchar",
    "occurred_at": "timestamp",
    "metadata": "json",
}
VARIABLES = {"user_id": "default", "capture_window_seconds": 60}


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
def seed_columns(seed: str) -> str:
    """A seed's columns with the types that dbt gives them."""
    (declared,) = (
        found
        for found in yaml.safe_load((PROJECT / "seeds/_seeds.yml").read_text())["seeds"]
        if found["name"] == seed
    )
    kinds = declared["config"]["column_types"].items()
    return ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in kinds)


@cache
def raw_tables() -> dict[tuple[str, str], str]:
    """The DDL of each raw table, by source and table."""
    declared = yaml.safe_load((PROJECT / "models/staging/_sources.yml").read_text())["sources"]
    return {
        (source["name"], table["name"]): f"raw.{table.get('identifier', table['name'])}"
        for source in declared
        for table in source["tables"]
    }


class Templates:
    """The project's macros, compiled once, and what each template becomes."""

    def __init__(self, rules: Path) -> None:
        self.read: list[str] = []
        self.rendered: dict[str, tuple[str, list[str]]] = {}
        environment = jinja2.Environment(autoescape=False, extensions=["jinja2.ext.do"])
        environment.globals |= {
            "ref": self.ref,
            "source": lambda source, table: raw_tables()[source, table],
            "var": lambda name, default=None: VARIABLES.get(name, default),
            "return": returned,
            "tojson": json.dumps,
            "is_incremental": lambda: False,
            "invocation_id": "test",
            "dbt_metadata_envs": {},
            "run_started_at": datetime(2026, 6, 3),
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

    def ref(self, model: str) -> str:
        """A model's table."""
        self.read.append(model)
        return f"built.{model}"

    def render(self, template: str) -> tuple[str, list[str]]:
        """The SQL of a template, and the models that it reads."""
        if template not in self.rendered:
            self.read = []
            query = self.environment.from_string(template).render()
            self.rendered[template] = query, self.read
        return self.rendered[template]


@cache
def templates(rules: Path) -> Templates:
    """The templates with the rules of a folder."""
    return Templates(rules)


class PlainBuild:
    """One DuckDB in memory with the models that were asked for, and what they read.

    Attributes:
        engine: the connection; a model is a table of the schema `built`.
    """

    def __init__(
        self, rules: Path = MACROS / "rules", sources: Sequence[str] | None = None
    ) -> None:
        """An empty build.

        Args:
            rules: folder of the rendered rules.
            sources: those whose staging is built; the others' is empty. All by default.
        """
        self.sources = sources
        self.engine = duckdb.connect()
        self.engine.execute("set TimeZone = 'UTC'; create schema raw; create schema built")
        recency.register(self.engine)
        self.engine.create_function("memory_git_history", history_rows, [VARCHAR], VARCHAR)
        self.built: set[str] = set()
        for table in raw_tables().values():
            self.engine.execute(
                f"create table {table} (record_id varchar, container varchar, origin varchar,"
                " position bigint, payload varchar, origin_modified_at timestamp,"
                " landed_at timestamp, landing_id varchar)"
            )
        self.templates = templates(rules)

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
        """Build models and seeds, and all that they read."""
        for model in models:
            if model not in self.built:
                self.built.add(model)
                query = self.rendered(self.template_of(model))
                self.engine.execute(f"create table built.{model} as {query}")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; `{{ ref("model") }}` in it is that model's table."""
        return self.engine.execute(self.rendered(query)).fetchall()

    def template_of(self, model: str) -> str:
        """The query that gives a model's rows, a seed's, or none of a source that is left out."""
        file = model_files().get(model)
        # What else a source's staging holds has columns of its own: its raw tables are empty.
        staged = re.fullmatch("stg_(.+?)__((?:.+_)?(?:events|changes))", model)
        sources = self.sources if self.sources is not None or staged is None else [staged[1]]
        if staged and staged[1] not in (*sources, "tamis", "git"):
            columns = CHANGE_COLUMNS if staged[2] == "changes" else EVENT_COLUMNS
            nulls = ", ".join(f"null::{kind} as {name}" for name, kind in columns.items())
            return f"select {nulls} where false"
        if file is None:
            rows = f"read_csv('{PROJECT}/seeds/{model}.csv', header = true, all_varchar = true)"
            return f"select {seed_columns(model)} from {rows}"
        return file.read_text(encoding="utf-8")

    def rendered(self, template: str) -> str:
        """The SQL of a template; what it reads is built."""
        query, models = self.templates.render(template)
        self.build(*models)
        return query
