"""Claude Code: one JSONL file per session below `projects/<slug>/`, and its prompt history."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.claude_code_memory import ENTITY as MEMORY_FILES
from tamis.sources.claude_code_memory import memory_roots, recognise_memory
from tamis.sources.source import Answer, Lines, Source, head_objects, text_or_none

SESSION_NAME = re.compile(r"(agent-.+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl")
# These carry neither a session nor an own id, so only their names tell them from other tools'.
LABELS = {"summary": "leafUuid", "file-history-snapshot": "messageId", "file-history-delta": ""}


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The configured and the two usual settings folders, and memory files on the way up."""
    user = user_folder(environ)
    configured = environ.get("CLAUDE_CONFIG_DIR")
    folders = [Path(configured)] if configured else []
    folders += [user / ".claude", user / ".config/claude"]
    captures = [folder / name for folder in folders for name in ("projects", "history.jsonl")]
    return [*captures, *memory_roots(folders, cwd)]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Sessions, subagents and the history by their lines, else by place and name."""
    if path.suffix != ".jsonl":
        return recognise_memory(path)
    lines = head_objects(head)
    if any(is_entry(line) for line in lines):
        return ENTRIES
    if any(is_prompt(line) for line in lines):
        return HISTORY
    if not lines and SESSION_NAME.fullmatch(path.name) and "projects" in path.parts:
        return ENTRIES
    return None


def is_entry(line: dict[str, Any]) -> bool:
    """Whether a parsed line is one of a session's, not of `history.jsonl` or another tool."""
    kind = line.get("type")
    if not isinstance(kind, str) or "payload" in line:
        return False
    if LABELS.get(kind, "-") in ("", *line):
        return True
    if kind in ("user", "assistant") and isinstance(line.get("message"), dict):
        return "uuid" in line or "sessionId" in line
    return "sessionId" in line and "message" not in line and "display" not in line


def is_prompt(line: dict[str, Any]) -> bool:
    """Whether a parsed line is one of `history.jsonl`: what was typed, where and when."""
    return "type" not in line and {"display", "timestamp", "project"} <= line.keys()


def version_of(path: Path, head: bytes) -> str | None:
    """The version that the first lines name."""
    versions = [text_or_none(line.get("version")) for line in head_objects(head)]
    return next((version for version in versions if version), None)


def session_of(line: dict[str, Any]) -> str | None:
    """The line's session id."""
    return text_or_none(line.get("sessionId"))


def name_of(path: Path) -> str:
    """The file name without its ending: the session id, or `agent-<id>` of a subagent."""
    return path.name.removesuffix(".jsonl")


ENTRIES = Lines(
    entity="claude_code__entries",
    session_of=session_of,
    session_token=b'"sessionId"',
    name_of=name_of,
    session_path="$.sessionId",
    cwd_path="$.cwd",
)

HISTORY = Lines(
    entity="claude_code__history",
    session_of=session_of,
    session_token=b'"sessionId"',
    name_of=name_of,
    session_path="$.sessionId",
    cwd_path="$.project",
)

CLAUDE_CODE = Source(
    name="claude_code",
    entities=("claude_code__entries", "claude_code__history", MEMORY_FILES),
    roots=roots,
    recognise=recognise,
    version_of=version_of,
)
