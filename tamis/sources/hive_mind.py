"""hive-mind: one SQLite file per mind: memories, their verbatim sources, what was erased."""

from collections.abc import Mapping
from pathlib import Path

from tamis.home import user_folder
from tamis.sources.source import Answer, Database, Source, Table
from tamis.sources.sqlite_schema import read_schema

MIND = Database(
    tables=(
        Table("hive_mind__memory_frames", "memory_frames"),
        Table("hive_mind__raw_archive", "raw_archive"),
        Table("hive_mind__erased_subjects", "erased_subjects"),
        Table("hive_mind__sessions", "sessions"),
    )
)


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The workspace's mind, found by walking up from the working folder, and the global one."""
    minds = [folder / ".hive-mind/workspace.mind" for folder in (cwd, *cwd.parents)]
    nearest = [mind for mind in minds if mind.exists()][:1]
    return [*nearest, user_folder(environ) / ".hive-mind/global.mind"]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Every `*.mind`, and any SQLite file that defines the table."""
    if path.suffix == ".mind":
        return MIND
    schema = read_schema(path, head)
    return MIND if schema and schema.defines({"memory_frames"}) else None


HIVE_MIND = Source(
    name="hive_mind",
    entities=MIND.entities,
    roots=roots,
    recognise=recognise,
    file_suffixes=(".mind",),
)
