"""Codex: rollouts of all ages, packed or archived, and the prompts of `history.jsonl`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.source import Answer, Lines, Skip, Source, head_objects, text_or_none

WRAPPED_TYPES = {
    "compacted", "event_msg", "inter_agent_communication", "inter_agent_communication_metadata",
    "realtime_item", "response_item", "security_risk_score", "session_meta", "turn_context",
    "world_state",
}  # fmt: skip
BARE_CONTENT_TYPES = {"input_text", "output_text"}
BARE_CALL_TYPES = {"function_call", "function_call_output", "local_shell_call", "custom_tool_call"}
ROLLOUT_NAME = re.compile(r"rollout-.+?-(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
OTHER_FILES = re.compile(
    r"(?P<index>session_index\.jsonl)"
    r"|(?P<state>(?:state|logs|goals|memories)_[0-9]+\.sqlite)"
    r"|(?P<login>auth\.json)"
)
REASONS = {
    "index": "Codex session index: names of threads whose rollouts are read themselves",
    "state": "Codex state database: rebuilt by Codex from the rollouts",
    "login": "Codex login: a secret, not a capture",
}


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """Sessions, archive and prompt history of the configured folder and of the usual one."""
    configured = environ.get("CODEX_HOME")
    folders = [Path(configured)] if configured else []
    folders.append(user_folder(environ) / ".codex")
    places = ("sessions", "archived_sessions", "history.jsonl")
    return [folder / place for folder in folders for place in places]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Rollouts and the prompt history by their lines; a rollout of broken lines by its name."""
    other = OTHER_FILES.fullmatch(path.name)
    # By another name or in another place it may be anyone's, unless it names rollouts.
    if other and other.lastgroup and (path.parent.name == ".codex" or b"rollout_path" in head):
        return Skip(REASONS[other.lastgroup])
    if not path.name.endswith((".jsonl", ".jsonl.zst")):
        return None
    lines = head_objects(head)
    if any(is_rollout_line(line) for line in lines):
        return ROLLOUT
    if any(is_prompt(line) for line in lines):
        return HISTORY
    if not lines and ROLLOUT_NAME.match(path.name):
        return ROLLOUT
    return None


def is_rollout_line(line: dict[str, Any]) -> bool:
    """Whether a parsed line is a rollout's: wrapped, a bare header or mark, or a bare item."""
    kind = line.get("type")
    if kind is None:
        return line.get("record_type") == "state" or is_bare_header(line)
    if not isinstance(kind, str):
        return False
    if "payload" in line:
        return kind in WRAPPED_TYPES and isinstance(line["payload"], dict) and "timestamp" in line
    if kind in BARE_CALL_TYPES:
        return isinstance(line.get("call_id"), str)
    content = line.get("content")
    return (
        kind == "message"
        and isinstance(content, list)
        and any(isinstance(block, dict) and is_bare_block(block) for block in content)
    )


def is_bare_header(line: dict[str, Any]) -> bool:
    """Whether a line is the head of a rollout from before lines were wrapped."""
    named = text_or_none(line.get("id")) and text_or_none(line.get("timestamp"))
    return bool(named) and "type" not in line and ("instructions" in line or "git" in line)


def is_bare_block(block: dict[str, Any]) -> bool:
    """Whether a content block is one of the kinds that Codex hands to its model."""
    return text_or_none(block.get("type")) in BARE_CONTENT_TYPES


def is_prompt(line: dict[str, Any]) -> bool:
    """Whether a parsed line is one of the prompt history."""
    return (
        isinstance(line.get("session_id"), str)
        and isinstance(line.get("text"), str)
        and isinstance(line.get("ts"), int | float)
        and "type" not in line
    )


def rollout_session(line: dict[str, Any]) -> str | None:
    """The session id that a head names; the first head of a file is the file's own."""
    if is_bare_header(line):
        return text_or_none(line.get("id"))
    payload = line.get("payload")
    if line.get("type") != "session_meta" or not isinstance(payload, dict):
        return None
    return text_or_none(payload.get("id")) or text_or_none(payload.get("session_id"))


def prompt_session(line: dict[str, Any]) -> str | None:
    """The session id that a prompt names."""
    return text_or_none(line.get("session_id"))


def name_of(path: Path) -> str:
    """The session id in a rollout's file name, else the name without its endings."""
    name = path.name.removesuffix(".zst").removesuffix(".jsonl")
    rollout = ROLLOUT_NAME.fullmatch(name)
    return rollout["id"] if rollout else name


ROLLOUT = Lines(
    entity="codex__rollouts",
    session_of=rollout_session,
    session_token=b'"id"',
    name_of=name_of,
    cwd_path="$.payload.cwd",
)
HISTORY = Lines(
    entity="codex__history",
    session_of=prompt_session,
    session_token=b'"session_id"',
    name_of=name_of,
    session_path="$.session_id",
)


def version_of(path: Path, head: bytes) -> str | None:
    """The version of the client that a rollout's head names."""
    for line in head_objects(head):
        payload = line.get("payload")
        told = payload if isinstance(payload, dict) else line
        if version := text_or_none(told.get("cli_version")):
            return version
    return None


CODEX = Source(
    name="codex",
    entities=("codex__rollouts", "codex__history"),
    roots=roots,
    recognise=recognise,
    version_of=version_of,
)
