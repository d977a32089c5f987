"""OpenClaw: transcripts below `agents/<agent>/` as lines or in a database, and hook events."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.openclaw_memory import ENTITY as MEMORY_FILES
from tamis.sources.openclaw_memory import memory_roots, recognise_memory
from tamis.sources.source import (
    Answer,
    Database,
    Document,
    Lines,
    Record,
    Skip,
    Source,
    Table,
    compact_json,
    document_json,
    head_objects,
    text_or_none,
)

ARCHIVE = re.compile(
    r"(?P<base>.+)\.jsonl\.(?:(?P<kind>reset|deleted|bak)\..+|(?P<imported>imported)-.+)"
)
CHECKPOINT = re.compile(r"(?P<base>.+)\.checkpoint\.[^.]+")
TOPIC = re.compile(r"(?P<base>.+)-topic-.+")
TRANSCRIPT_FOLDERS = ("sessions", "session-sqlite-import-archive")
DATABASE_NAME = "openclaw-agent.sqlite"
SQLITE_MAGIC = b"SQLite format 3\x00"
HOOK_TYPES = {"agent", "command", "gateway", "message", "session"}
ENTRY_TYPES = {
    "branch_summary", "compaction", "custom", "custom_message", "label", "leaf", "message",
    "model_change", "reset", "session", "session_info", "thinking_level_change",
}  # fmt: skip


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The `agents` folders of the configured state folder and of the usual ones, old names too."""
    configured = environ.get("OPENCLAW_STATE_DIR")
    folders = [Path(configured)] if configured else []
    folders += [user_folder(environ) / name for name in (".openclaw", ".clawdbot", ".moltbot")]
    return [*(folder / "agents" for folder in folders), *memory_roots(folders)]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Transcripts with their archives and checkpoints, session index, database, hook events."""
    name = path.name
    if head.startswith(SQLITE_MAGIC):
        is_own = name == DATABASE_NAME or b"transcript_event_identities" in head
        return AGENT_DATABASE if is_own else None
    if path.suffix == ".md":
        return recognise_memory(path)
    if name.endswith((".trajectory.jsonl", ".trajectory-path.json")):
        return Skip("OpenClaw trajectory: a debugging trace, not a transcript")
    if name.startswith("sessions.json.bak"):
        return Skip("OpenClaw backup of sessions.json")
    if name == "sessions.json":
        is_index = b'"sessionId"' in head or path.parent.name == "sessions"
        return SESSION_INDEX if is_index else None
    archive = ARCHIVE.fullmatch(name)
    if not archive and path.suffix != ".jsonl":
        return None
    lines = head_objects(head)
    if any(is_entry(line) for line in lines):
        return TRANSCRIPT
    if any(is_hook_event(line) for line in lines):
        return HOOK_EVENTS
    if not lines and path.parent.name == "sessions" and "agents" in path.parts:
        return TRANSCRIPT
    return None


def is_entry(line: dict[str, Any]) -> bool:
    """Whether a parsed line is a transcript's: its header, or an entry with id and parent."""
    if line.get("type") == "session":
        return "id" in line and ("version" in line or "cwd" in line)
    kind = text_or_none(line.get("type"))
    return kind in ENTRY_TYPES and "id" in line and "parentId" in line


def is_hook_event(line: dict[str, Any]) -> bool:
    """Whether a parsed line is an event that the gateway gave to a hook."""
    return (
        text_or_none(line.get("type")) in HOOK_TYPES
        and text_or_none(line.get("action")) is not None
        and "sessionKey" in line
        and isinstance(line.get("context"), dict)
    )


def session_key_of(line: dict[str, Any]) -> str | None:
    """The session key of a hook event."""
    return text_or_none(line.get("sessionKey"))


def session_of(line: dict[str, Any]) -> str | None:
    """The session id, which only the header names."""
    return text_or_none(line.get("id")) if line.get("type") == "session" else None


def name_of(path: Path) -> str:
    """The session id in a transcript's file name."""
    return name_and_kind(path)[0]


def name_and_kind(path: Path) -> tuple[str, str]:
    """Session id and kind of a file name.

    The kind is primary, reset, deleted, bak, imported, checkpoint or topic.
    """
    archive = ARCHIVE.fullmatch(path.name)
    base = archive["base"] if archive else path.name.removesuffix(".jsonl")
    if archive and archive["imported"]:
        # The migration puts the session key before the name.
        return name_and_kind(Path(base.rpartition(".")[2]))[0], "imported"
    checkpoint = CHECKPOINT.fullmatch(base)
    if checkpoint:
        return checkpoint["base"], "checkpoint"
    topic = TOPIC.fullmatch(base)
    kind = archive["kind"] if archive else "topic" if topic else "primary"
    return (topic["base"] if topic else base), kind


def session_file(path: Path, session_id: str | None) -> Record | None:
    """Which agent and which kind of file a session came from; None without a session id."""
    if session_id is None:
        return None
    folders = path.parts[:-1]
    in_agent = len(folders) >= 3 and folders[-3] == "agents" and folders[-1] in TRANSCRIPT_FOLDERS
    facts = {
        "sessionId": session_id,
        "agentId": folders[-2] if in_agent else None,
        "fileName": path.name,
        "kind": name_and_kind(path)[1],
    }
    return Record("openclaw__session_files", session_id, compact_json(facts))


def session_index(path: Path, text: str) -> Iterator[Record]:
    """One record per session key; ValueError when the text is no JSON object."""
    index = document_json(text)
    if not isinstance(index, dict):
        raise ValueError("not a JSON object")
    for key, entry in index.items():
        payload = compact_json({"key": key, "entry": entry})
        yield Record("openclaw__session_index", text_or_none(key) or ascii(key), payload)


TRANSCRIPT = Lines(
    entity="openclaw__entries",
    session_of=session_of,
    session_token=b'"session"',
    name_of=name_of,
    cwd_path="$.cwd",
    companion=session_file,
)
HOOK_EVENTS = Lines(
    entity="openclaw__hook_events",
    session_of=session_key_of,
    session_token=b'"sessionKey"',
    name_of=name_of,
    session_path="$.sessionKey",
)
SESSION_INDEX = Document(entities=("openclaw__session_index",), records=session_index)
AGENT_DATABASE = Database(
    tables=(
        Table("openclaw__session_nodes", "session_nodes"),
        Table("openclaw__session_windows", "session_windows"),
        Table(
            "openclaw__transcript_events", "transcript_events", packed=("event_json", "event_zstd")
        ),
        Table("openclaw__transcript_event_identities", "transcript_event_identities"),
        Table(
            "openclaw__transcript_archives", "session_transcript_archives", packed=("archive_blob",)
        ),
        Table("openclaw__pending_inputs", "session_pending_inputs"),
        Table("openclaw__heartbeat_outcomes", "heartbeat_outcomes"),
        Table("openclaw__chunk_provenance", "memory_index_chunk_provenance"),
        Table("openclaw__chunk_recall_metadata", "memory_index_chunk_recall_metadata"),
        Table("openclaw__memory_origins", "memory_entry_origins"),
        Table("openclaw__session_tombstones", "memory_session_tombstones"),
    )
)

OPENCLAW = Source(
    name="openclaw",
    entities=(
        *("openclaw__entries", "openclaw__session_index", "openclaw__session_files"),
        *("openclaw__hook_events", MEMORY_FILES, *AGENT_DATABASE.entities),
    ),
    roots=roots,
    recognise=recognise,
)
