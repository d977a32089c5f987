"""A small published build of marts in the shape of their contracts, for tests of its readers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import yaml

from tamis.memory_git.published import records_of
from tamis.memory_git.records import Repository
from tamis.publish import point_to, quoted

MARTS = Path(__file__).resolve().parents[1] / "models" / "marts" / "_marts.yml"


def contracts() -> dict[str, dict[str, str]]:
    """The columns of every mart with their types, as its contract has them."""
    return {
        model["name"]: {one["name"]: one["data_type"] for one in model["columns"]}
        for model in yaml.safe_load(MARTS.read_text())["models"]
    }


def publish_marts(home: Path, build_id: str, **rows: Sequence[Mapping[str, Any]]) -> Path:
    """Publish rows by mart, and make them the current build; what a row does not say is NULL.

    Returns:
        The build's folder.
    """
    folder = home / "published" / build_id
    folder.mkdir(parents=True)
    connection = duckdb.connect()
    for name, columns in contracts().items():
        typed = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
        connection.execute(f"create table {name} ({typed})")
        if given := rows.pop(name, ()):
            told = sorted(set().union(*given))
            frame = pa.Table.from_pylist([{one: row.get(one) for one in told} for row in given])
            connection.register("given", frame)
            connection.execute(f"insert into {name} by name select * from given")
            connection.unregister("given")
        path = quoted(folder / f"{name}.parquet")
        connection.execute(f"copy {name} to '{path}' (format parquet)")
    connection.close()
    assert not rows, f"no such mart: {', '.join(rows)}"
    point_to(folder.parent, build_id)
    return folder


def memory_rows(*repositories: Repository) -> list[dict[str, Any]]:
    """The rows of memory_records for some histories."""
    return [
        {
            "memory_record_id": f"{repository.project_id}/{number}",
            "project_name": repository.project_id,
            "is_legacy_root": False,
            "is_altered": False,
            **record,
        }
        for repository in repositories
        for number, record in enumerate(records_of(repository))
    ]


def namespace(agent: str | None) -> str:
    """The namespace of the user `default`, or of an agent of it."""
    return f"default:agent:{agent}" if agent else "default"


def fact_row(fact_id: str, text: str, agent: str | None = None, **told: Any) -> dict[str, Any]:
    """A current fact of the project garden."""
    return {
        "fact_id": fact_id,
        "text": text,
        "namespace": namespace(agent),
        "user_id": "default",
        "agent_id": agent,
        "project_key": "garden",
        "fact_type": "statement",
        "is_current": True,
        "t_valid": datetime(2026, 3, 1),
        **told,
    }


def source_row(event_id: str, fact_id: str, session_id: str, agent: str | None = None) -> dict:
    """The event that first said a fact."""
    return {
        "event_id": event_id,
        "fact_id": fact_id,
        "relation": "first",
        "namespace": namespace(agent),
        "project_key": "garden",
        "session_id": session_id,
        "source_system": "openclaw",
        "source_entity": "entries",
        "native_id": event_id,
        "role": "user",
        "event_kind": "message",
        "occurred_at": datetime(2026, 3, 1),
    }


def rejection_row(event_id: str, text: str, agent: str | None = None) -> dict[str, Any]:
    """An event that curation refused."""
    return {
        "event_id": event_id,
        "rule_id": "acknowledgement",
        "category": "noise",
        "reason": "says nothing",
        "text": text,
        "namespace": namespace(agent),
        "source_system": "openclaw",
    }


def session_row(session_id: str, session_key: str, agent: str | None = None) -> dict[str, Any]:
    """A session that somebody took part in."""
    return {
        "session_row_id": session_id,
        "session_id": session_id,
        "session_key": session_key,
        "namespace": namespace(agent),
        "agent_id": agent,
        "is_subagent": False,
        "is_interactive": True,
        "last_seen_at": datetime(2026, 3, 1),
    }


def project_row(key: str, agent: str | None = None, names: Sequence[str] = ()) -> dict[str, Any]:
    """A project of a namespace."""
    return {
        "project_id": f"{key}/{agent}",
        "project_key": key,
        "namespace": namespace(agent),
        "names": [*names],
    }
