"""basic-memory: notes in Markdown, indexed in one SQLite file for all projects.

A note is landed with its observations and relations in one record: the tool deletes and numbers
those rows anew at every sync, so that alone they would not tell what a note held at one moment.
"""

from collections.abc import Mapping
from pathlib import Path

from tamis.home import user_folder
from tamis.sources.source import Answer, Database, Nested, Source, Table

NOTES = "basic_memory__notes"
SQLITE_MAGIC = b"SQLite format 3\x00"
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
    """The index by its place, and any SQLite file whose first pages name its tables."""
    if not head.startswith(SQLITE_MAGIC):
        return None
    if path.parent.name == ".basic-memory" and path.name == "memory.db":
        return INDEX
    words = (b"permalink", b"observation", b"relation_type", b"file_path")
    return INDEX if all(word in head for word in words) else None


BASIC_MEMORY = Source(name="basic_memory", entities=(NOTES,), roots=roots, recognise=recognise)
