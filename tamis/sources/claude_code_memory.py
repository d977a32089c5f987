"""Claude Code's memory files: CLAUDE.md, rules, and what it notes for itself in a project."""

import re
from itertools import pairwise
from pathlib import Path

from tamis.sources.markdown_memory import is_note, memory_document
from tamis.sources.source import Document

ENTITY = "claude_code__memory_files"
FILE_NAMES = ("CLAUDE.md", "CLAUDE.local.md")
# A slug is a path with its separators replaced, so it begins as a root does.
SLUG = re.compile(r"(-|[A-Za-z]--)[A-Za-z0-9-]*")
ALONE = memory_document(ENTITY)
IN_SETTINGS = memory_document(ENTITY, ".claude")
IN_MEMORY = memory_document(ENTITY, "memory")


def memory_roots(folders: list[Path], cwd: Path) -> list[Path]:
    """The files of the settings folders, and those of the working folder and the ones above."""
    places = [folder / name for folder in folders for name in ("CLAUDE.md", "rules")]
    for folder in (cwd, *cwd.parents):
        places += [folder / name for name in FILE_NAMES]
        places += [folder / ".claude" / name for name in ("CLAUDE.md", "rules")]
    return places


def recognise_memory(path: Path) -> Document | None:
    """A memory file's recipe, by its place and name alone."""
    folders = path.parts[:-1]
    if path.name in FILE_NAMES:
        return IN_SETTINGS if ".claude" in folders[-1:] else ALONE
    if not is_note(path):
        return None
    if (".claude", "rules") in pairwise(folders):
        return IN_SETTINGS
    places = zip(folders, folders[1:], folders[2:], strict=False)
    if any(a == "projects" and SLUG.fullmatch(b) and c == "memory" for a, b, c in places):
        return IN_MEMORY
    return None
