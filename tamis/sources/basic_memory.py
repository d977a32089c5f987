"""basic-memory: notes in Markdown, indexed in one SQLite file for all projects.

A note is landed with its observations and relations in one record: the tool deletes and numbers
those rows anew at every sync, so that alone they would not tell what a note held at one moment.
"""

from collections.abc import Mapping
from pathlib import Path

from tamis.home import user_folder
from tamis.sources.source import Answer, Database, Nested, Source, Table
from tamis.sources.sqlite_schema import read_schema

NOTES = "basic_memory__notes"
INDEX = Database(
    tables=(
        Table(
            NOTES,
            "entity",
            nested=(
                Nested(
                    "observation", "entity_id", "id", ("category", "content", "context", "tags")
                ),
                Nested("relation", "from_id", "id", ("relation_type", "to_name", "context")),
                Nested("note_content", "entity_id", "id", ("markdown_content", "db_version")),
                Nested("project", "id", "project_id", ("name", "path")),
            ),
        ),
    )
)


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The index in the configured folder and in the usual one."""
    configured = environ.get("BASIC_MEMORY_CONFIG_DIR")
    folders = [Path(configured)] if configured else []
    return [folder / "memory.db" for folder in (*folders, user_folder(environ) / ".basic-memory")]


def recognise(path: Path, head: bytes) -> Answer | None:
    """The index by its place, and any SQLite file that defines its tables."""
    schema = read_schema(path, head)
    if schema is None:
        return None
    if path.parent.name == ".basic-memory" and path.name == "memory.db":
        return INDEX
    tables, words = {"entity", "observation", "relation"}, ("permalink", "file_path")
    return INDEX if schema.defines(tables, *words) else None


BASIC_MEMORY = Source(name="basic_memory", entities=(NOTES,), roots=roots, recognise=recognise)
