"""MCP memory: the knowledge graph of the reference memory server, a file of entities and relations.

The server rewrites its whole file on every change, so what is gone from it was removed. Beside the
lines of a file lands which lines it held: from two such lists SQL tells what was taken out.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.source import (
    Answer,
    Document,
    Lines,
    Record,
    Source,
    compact_json,
    document_json,
    head_objects,
    name_text,
)

ENTRIES = "mcp_memory__entries"
FILES = "mcp_memory__files"
NAMES = ("memory.jsonl", "memory.json")
BOM = b"\xef\xbb\xbf"


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The configured file, those of the working folder, and those beside the user's settings."""
    configured = environ.get("MEMORY_FILE_PATH")
    folders = (cwd, cwd / ".mcp", cwd / ".claude", user_folder(environ) / ".mcp")
    places = [folder / name for folder in folders for name in NAMES]
    return [*([Path(configured)] if configured else []), *places]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Files of lines that are entities, relations or observations; one JSON document of both."""
    words = (b'"entityType"', b'"relationType"', b'"entities"')
    if path.suffix not in (".json", ".jsonl") or not any(word in head for word in words):
        return None
    if any(is_entry(value) for value in head_objects(head)):
        return LINES
    return DOCUMENT if is_graph(head.removeprefix(BOM).lstrip()) else None


def is_graph(head: bytes) -> bool:
    """Whether a file begins as one JSON object of entities, on one line or on many."""
    if not head.startswith(b"{") or b'"entities"' not in head:
        return False
    first = head_objects(head, limit=1)
    if first:
        return isinstance(first[0].get("entities"), list)
    return b'"entityType"' in head or b'"relationType"' in head


def is_entry(line: dict[str, Any]) -> bool:
    """Whether a parsed line is an entity, a relation, or one observation of an entity."""
    if line.get("type") == "entity":
        return "name" in line and isinstance(line.get("observations"), list)
    if line.get("type") == "relation":
        return {"from", "to", "relationType"} <= line.keys()
    return {"entityName", "entityType", "observation"} <= line.keys()


def name_of(path: Path) -> str:
    """The file from its project's folder on: the nearest folder above that is not hidden.

    All projects name the file alike, and its own folder is often `.mcp`.
    """
    depth = 2
    while depth < len(path.parts) and path.parts[-depth].startswith("."):
        depth += 1
    return "/".join(name_text(part) for part in path.parts[-depth:] if part != path.anchor)


def roster(path: Path, _session: str | None) -> Record | None:
    """Which lines a file holds; None for a broken file, which is no witness of what is gone."""
    try:
        text = read(path).decode()
        lines = [line.removesuffix("\r") for line in text.split("\n") if line.strip()]
        values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    if not all(isinstance(value, dict) for value in values):
        return None
    return file_record(name_of(path), lines)


def read(path: Path) -> bytes:
    """A file's bytes; none where it has gone meanwhile."""
    try:
        return path.read_bytes().removeprefix(BOM)
    except OSError:
        return b""


def file_record(container: str, payloads: list[str]) -> Record:
    """The record that lists what a file holds, by the sha256 of each entry's payload."""
    hashes = [hashlib.sha256(payload.encode()).hexdigest() for payload in payloads]
    return Record(FILES, container, compact_json({"file": container, "lines": hashes}))


def entries(path: Path, text: str) -> Iterator[Record]:
    """The entities and relations of a document as if each were a line, and their list.

    Raises:
        ValueError: the text is no object with a list of entities or relations.
    """
    graph = document_json(text)
    if not isinstance(graph, dict):
        raise ValueError("not a JSON object")
    container = name_of(path)
    payloads = []
    for kind, name in (("entity", "entities"), ("relation", "relations")):
        values = graph.get(name, [])
        if not isinstance(values, list):
            raise ValueError(f"{name} is no list")
        for value in values:
            entry = {"type": kind, **value} if isinstance(value, dict) else {"value": value}
            payloads.append(compact_json(entry))
    for payload in payloads:
        yield Record(ENTRIES, container, payload)
    yield file_record(container, payloads)


LINES = Lines(
    entity=ENTRIES,
    session_of=lambda _line: None,
    session_token=b'"entit',
    name_of=name_of,
    companion=roster,
)
DOCUMENT = Document(entities=(ENTRIES, FILES), records=entries)

MCP_MEMORY = Source(
    name="mcp_memory",
    entities=(ENTRIES, FILES),
    roots=roots,
    recognise=recognise,
)
