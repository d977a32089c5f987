"""Markdown files in which an agent keeps its memory: one record per file and state of it."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePath

from tamis.sources.source import Document, Record, compact_json

README = "readme.md"
FOLDERS_BEFORE = 2


def memory_document(entity: str, anchor: str | None = None) -> Document:
    """The recipe of a memory file.

    Args:
        entity: the source entity that it lands in.
        anchor: the folder at which a memory begins, such as `memory`; None for a file that
            stands alone.
    """
    return Document(entities=(entity,), records=partial(records_of, entity, anchor))


def records_of(entity: str, anchor: str | None, path: Path, text: str) -> Iterator[Record]:
    """A memory file's identity and its whole text, as one record."""
    name = place_of(path, anchor)
    yield Record(entity, name, compact_json({"path": name, "text": text}))


def place_of(path: PurePath, anchor: str | None = None) -> str:
    """A file's own identity: its path from two folders before it, or before the anchor, on.

    A whole path would tell one machine from another and a folder from its copy; the bare name
    would take every project's file for one.
    """
    names = [
        os.fsencode(name).decode("utf-8", "backslashreplace")
        for name in path.parts
        if name != path.anchor
    ]
    last = len(names) - 1
    begin = last if anchor is None else max(i for i in range(last) if names[i] == anchor)
    return "/".join(names[max(begin - FOLDERS_BEFORE, 0) :])


def is_note(path: PurePath) -> bool:
    """Whether a file in a memory folder is a note by its name."""
    return path.suffix == ".md" and path.name.lower() != README
