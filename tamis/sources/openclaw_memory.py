"""OpenClaw's memory files: MEMORY.md and the notes beside it in an agent's workspace."""

import json
from pathlib import Path
from typing import Any

from tamis.sources.markdown_memory import is_note, memory_document
from tamis.sources.source import Document, text_or_none

ENTITY = "openclaw__memory_files"
FILE_NAMES = ("MEMORY.md", "memory.md")
# What the gateway puts into every workspace, whatever its folder is called.
BOOT_FILES = ("SOUL.md", "IDENTITY.md", "HEARTBEAT.md")
ALONE = memory_document(ENTITY)
IN_MEMORY = memory_document(ENTITY, "memory")


def memory_roots(states: list[Path]) -> list[Path]:
    """The memory files of every workspace in the state folders or named in their settings."""
    workspaces = [
        workspace
        for state in states
        for workspace in [*sorted(state.glob("workspace*")), *configured_workspaces(state)]
    ]
    return [folder / name for folder in workspaces for name in (*FILE_NAMES, "memory")]


def configured_workspaces(state: Path) -> list[Path]:
    """The workspaces that openclaw.json names; none where it is no plain JSON."""
    try:
        agents = json.loads((state / "openclaw.json").read_bytes())["agents"]
        told = [agents.get("defaults"), *(agents.get("list") or [])]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return []
    return [Path(place).expanduser() for entry in told if (place := workspace_of(entry))]


def workspace_of(entry: Any) -> str | None:
    """The folder in an agent's settings, None where there is none or no text."""
    return text_or_none(entry.get("workspace")) if isinstance(entry, dict) else None


def recognise_memory(path: Path) -> Document | None:
    """A memory file's recipe, by its name and the folder that it stands in."""
    if path.name in FILE_NAMES:
        return ALONE if is_workspace(path.parent) else None
    if not is_note(path):
        return None
    for folder in path.parents:
        if folder.name == "memory" and is_workspace(folder.parent):
            return IN_MEMORY
    return None


def is_workspace(folder: Path) -> bool:
    """Whether a folder looks like an agent's: by its name, or by a boot file in it."""
    is_named_so = folder.name.startswith("workspace")
    return is_named_so or any((folder / name).is_file() for name in BOOT_FILES)
