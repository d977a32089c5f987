"""The project's models, rendered by Jinja and run without dbt: milliseconds instead of minutes."""

import csv
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import jinja2

from tamis.explain import CHECKOUTS, ROW_WISE_MODELS

PROJECT = Path(__file__).resolve().parents[1]
SCHEMAS = {"stg": "staging", "int": "intermediate"}


@cache
def template_environment() -> jinja2.Environment:
    environment = jinja2.Environment(autoescape=False, extensions=["jinja2.ext.do"])
    environment.globals = {
        **environment.globals,
        "ref": relation,
        "source": lambda name, table: f"raw.{name}__{table}",
        "is_incremental": lambda: False,
        "return": lambda value: value,
        "tojson": json.dumps,
    }
    return environment


def relation(name: str) -> str:
    """Where a model or a seed stands."""
    return f"{SCHEMAS.get(name.split('_')[0], 'seeds')}.{name}"


@cache
def macros() -> str:
    """Every macro but those that ask dbt itself."""
    files = [
        file
        for folder in ("engine", "text", "sources", "rules")
        for file in sorted((PROJECT / "macros" / folder).glob("*.sql"))
    ]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def rendered(name: str) -> str:
    """The SQL of a model, as dbt's full refresh would run it."""
    (file,) = (PROJECT / "models").rglob(f"{name}.sql")
    text = macros() + file.read_text(encoding="utf-8")
    return template_environment().from_string(text).render().strip()


def row_wise_models() -> dict[str, str]:
    """The models that say what one line is, as `tamis explain` runs them."""
    return {name: rendered(name) for name in (CHECKOUTS, *ROW_WISE_MODELS)}


def answers_of(
    name: str,
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    through: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The rows that a model makes of other models' and seeds' rows.

    Args:
        name: the model.
        tables: what is given; a value is a text, a boolean or None, and the first row of a table
            names its columns.
        through: models between what is given and the model, in their order.
    """
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    for schema in ("raw", "seeds", "staging", "intermediate"):
        connection.execute(f"create schema {schema}")
    for table, rows in tables.items():
        kinds = ", ".join(
            f"{column} {'boolean' if column.startswith('is_') else 'varchar'}" for column in rows[0]
        )
        connection.execute(f"create table {relation(table)} ({kinds})")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(
            f"insert into {relation(table)} values ({marks})",
            [[row.get(column) for column in rows[0]] for row in rows],
        )
    for model in through:
        connection.execute(f"create view {relation(model)} as {rendered(model)}")
    found = connection.execute(rendered(name))
    names = [column[0] for column in found.description or []]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def seed(name: str) -> list[dict[str, str]]:
    """The rows of a packaged seed."""
    with (PROJECT / "seeds" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


EVENT = ("event_id", "user_id", "cwd", "session_key", "agent_id", "trigger_kind", "metadata")
CHECKOUT = ("cwd", "top_level", "common_dir", "remote", "superproject", "is_worktree")


def keyed(
    events: Sequence[Mapping[str, Any]],
    checkouts: Sequence[Mapping[str, Any]] = (),
    aliases: Sequence[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:
    """What int_events_keyed says of events, in their order."""
    given = [
        {**dict.fromkeys(EVENT), "user_id": "default", "event_id": f"{number:06}", **event}
        for number, event in enumerate(events)
    ]
    # A first row without a key is joined by nothing.
    answers = answers_of(
        "int_events_keyed",
        {
            "int_events_unioned": given,
            "stg_git__checkouts": [{**dict.fromkeys(CHECKOUT), **row} for row in ({}, *checkouts)],
            "project_aliases": [{"alias": None, "project_key": None}, *aliases],
        },
        through=["int_folders_placed"],
    )
    found = {answer["event_id"]: answer for answer in answers}
    return [found[event["event_id"]] for event in given]
