"""claude-mem: its SQLite database at any age of the schema, and the JSON that its export writes."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.source import (
    Answer,
    Database,
    Document,
    Record,
    Source,
    Table,
    compact_json,
    document_json,
)
from tamis.sources.sqlite_schema import read_schema

TABLES = (
    "observations", "session_summaries", "user_prompts", "sdk_sessions", "pending_messages",
    "memory_items", "agent_events",
)  # fmt: skip
# The arrays of an export, each with the table whose rows it holds.
ARRAYS = {
    "observations": "observations",
    "summaries": "session_summaries",
    "prompts": "user_prompts",
    "sessions": "sdk_sessions",
}
EXPORT_TOKENS = (b'"totalObservations"', b'"memory_session_id"')


def entity_of(table: str) -> str:
    """The source entity that a table's rows land in."""
    return f"claude_mem__{table}"


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The database of the configured data folder, else of the usual one, and its backups."""
    configured = environ.get("CLAUDE_MEM_DATA_DIR")
    folder = Path(configured) if configured else user_folder(environ) / ".claude-mem"
    return [folder / "claude-mem.db", folder / "backups"]


def recognise(path: Path, head: bytes) -> Answer | None:
    """The database by its name or by the tables that it defines, and the export."""
    if path.name == "claude-mem.db":
        return DATABASE
    if schema := read_schema(path, head):
        is_memory = schema.defines({"sdk_sessions", "observations"})
        is_server = schema.defines({"memory_items", "agent_events"})
        return DATABASE if is_memory or is_server else None
    if path.suffix == ".json" and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        names_rows = any(f'"{name}"'.encode() in head for name in ARRAYS)
        return EXPORT if names_rows and any(token in head for token in EXPORT_TOKENS) else None
    return None


def export_rows(path: Path, text: str) -> Iterator[Record]:
    """The rows of an export, in the containers that the database gives them.

    Raises:
        ValueError: the text is no JSON object, or one of its arrays holds no rows.
    """
    export = document_json(text)
    if not isinstance(export, dict):
        raise ValueError("not a JSON object")
    for name, table in ARRAYS.items():
        for row in rows_of(export.get(name)):
            yield Record(entity_of(table), f"{table}/{key_of(row)}", compact_json(row))


def rows_of(value: Any) -> list[dict[str, Any]]:
    """The objects of an array; nothing where there is none."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ValueError("not an array of rows")
    return value


def key_of(row: Mapping[str, Any]) -> str:
    """A row's number as text; nothing where it has none."""
    number = row.get("id")
    return str(number) if isinstance(number, int) else ""


DATABASE = Database(tables=tuple(Table(entity_of(table), table) for table in TABLES))
EXPORT = Document(
    entities=tuple(entity_of(table) for table in ARRAYS.values()), records=export_rows
)

CLAUDE_MEM = Source(
    name="claude_mem",
    entities=tuple(entity_of(table) for table in TABLES),
    roots=roots,
    recognise=recognise,
)
