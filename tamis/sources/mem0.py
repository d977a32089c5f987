"""mem0: history and vector databases, local Qdrant collections, what the platform and tools write.

A memory lands as the same kind of record from whichever place it was read.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.home import user_folder
from tamis.sources.qdrant_point import read_point
from tamis.sources.source import (
    Answer,
    Database,
    Document,
    Record,
    Skip,
    Source,
    Table,
    compact_json,
    document_json,
    text_or_none,
)
from tamis.sources.sqlite_schema import Schema, read_schema

MEMORIES, HISTORY, MESSAGES = "mem0__memories", "mem0__history", "mem0__messages"
# Collections that mem0 keeps beside the one of its memories, by the ends of their names.
SIDE_COLLECTIONS = {
    "_entities": "mem0 entities: names that memories mention, no memory",
    "migrations": "mem0's own settings, no memory",
}
POINT_TOKENS = (b"\x04data\x94", b"\x04hash\x94")
# Where a document keeps its items, unless it is the array itself.
LISTS = ("results", "records", "memories")
LIST_START = re.compile(r'(?:\A|"(?:results|records|memories)"\s*:\s*)\[\s*(?={)')
OWNERS = {"user_id", "agent_id", "run_id", "app_id", "session_id", "hash", "source_payload"}
MARKDOWN_NAME = re.compile(r"mem0-export-(?P<project>.+)-\d{4}-?\d{2}-?\d{2}.*\.md")
MARKDOWN_BLOCK = re.compile(
    r"^---\n(?P<head>id:[^\n]*\n(?:[a-z_]+:[^\n]*\n)*)---\n(?P<text>.*?)(?=^---\nid:|\Z)",
    re.MULTILINE | re.DOTALL,
)
DECODER = json.JSONDecoder()


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The databases and dumps of mem0's folder, of the working folder, and Qdrant's usual one."""
    configured = environ.get("MEM0_DIR")
    folder = Path(configured) if configured else user_folder(environ) / ".mem0"
    names = ("history.db", "memory.db", "vector_store.db", "migrations", "qdrant")
    beside = [cwd / "memory.db", cwd / "vector_store.db"]
    return [*(folder / name for name in names), *beside, Path("/tmp/qdrant/collection")]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Databases by their tables, collections by their place, documents by their first item."""
    if schema := read_schema(path, head):
        return recognise_database(path, head, schema)
    if path.suffix == ".md" and MARKDOWN_NAME.fullmatch(path.name):
        return MARKDOWN if head.lstrip(b"\xef\xbb\xbf\r\n").startswith(b"---") else None
    if path.suffix == ".json" and is_document(head.decode("utf-8", "replace")):
        return DOCUMENT
    return None


def recognise_database(path: Path, head: bytes, schema: Schema) -> Answer | None:
    """The history and vector databases, and a local Qdrant collection of memories."""
    is_history = schema.defines({"history"}, "old_memory", "new_memory")
    if is_history or schema.tables & {"memory_history", "memory_migrations"}:
        return DATABASE
    if path.name == "storage.sqlite" and path.parent.parent.name == "collection":
        collection = path.parent.name
        for ending, reason in SIDE_COLLECTIONS.items():
            if collection.startswith("mem0") and collection.endswith(ending):
                return Skip(reason)
        is_memory = collection == "mem0" or all(token in head for token in POINT_TOKENS)
        return COLLECTION if is_memory else None
    return None


def is_document(head: str) -> bool:
    """Whether a JSON text's first item is a memory or a change of one.

    An item that the head does not hold whole is known by the names of its fields.
    """
    text = head.lstrip("\ufeff \t\r\n")
    start = LIST_START.search(text)
    if start is None and not text.startswith("{"):
        return False
    begin = start.end() if start else 0
    try:
        item, _ = DECODER.raw_decode(text, begin)
    except (ValueError, RecursionError):
        if start is None:
            return False
        fields = dict.fromkeys(re.findall(r'"([a-z_]+)"\s*:', text[begin:]))
        return has_fields_of_memory(fields) or has_fields_of_change(fields)
    return entity_of(item) is not None


def entity_of(item: Any) -> str | None:
    """What an item of a document is: a memory, a change of one, or neither."""
    if not isinstance(item, dict) or text_or_none(item.get("id")) is None:
        return None
    if has_fields_of_change(item) and text_or_none(item.get("memory_id")):
        return HISTORY
    if has_fields_of_memory(item) and isinstance(item.get("memory", item.get("data")), str):
        return MEMORIES
    return None


def has_fields_of_memory(item: Mapping[str, Any]) -> bool:
    """Whether the fields are those of a memory: an id, a text, a time, whose it is."""
    has_text = "memory" in item or "data" in item
    return "id" in item and has_text and "created_at" in item and bool(OWNERS & item.keys())


def has_fields_of_change(item: Mapping[str, Any]) -> bool:
    """Whether the fields are those of a change of a memory."""
    return "memory_id" in item and "event" in item and "new_memory" in item


def document_items(path: Path, text: str) -> Iterator[Record]:
    """The memories and changes of a list, a search, a history or a dump.

    What is neither lands beside the memories, where no model takes it for one.

    Raises:
        ValueError: no JSON, or one of another form.
    """
    document = document_json(text)
    items = document
    if isinstance(document, dict):
        lists = [document[name] for name in LISTS if isinstance(document.get(name), list)]
        items = lists[0] if lists else [document]
    if not isinstance(items, list):
        raise ValueError("neither an array nor an object")
    for item in items:
        entity = entity_of(item) or MEMORIES
        identity = text_or_none(item.get("id")) if isinstance(item, dict) else None
        container = f"{entity.removeprefix('mem0__')}/{identity or ''}"
        yield Record(entity, container, compact_json(item))


def markdown_blocks(path: Path, text: str) -> Iterator[Record]:
    """The memories of an export in Markdown, each below the lines that describe it.

    Raises:
        ValueError: it holds none.
    """
    name = MARKDOWN_NAME.fullmatch(path.name)
    blocks = list(MARKDOWN_BLOCK.finditer(text.replace("\r\n", "\n")))
    if not blocks:
        raise ValueError("no block of a memory")
    for block in blocks:
        described = [line.partition(":") for line in block["head"].splitlines()]
        fields = {key: value.strip() for key, _, value in described}
        memory = {
            **fields,
            "memory": block["text"].strip("\n"),
            "project": name["project"] if name else None,
        }
        yield Record(MEMORIES, f"memories/{fields['id']}", compact_json(memory))


def vector_row(row: bytes) -> bytes:
    """A row of the vector table without its vector, which is no text."""
    columns = document_json(row.decode())
    columns.pop("vector", None)
    return compact_json(columns).encode()


def point_row(row: bytes) -> bytes:
    """A row of a local Qdrant collection as its point's id and payload."""
    stored = document_json(row.decode()).get("point")
    if not isinstance(stored, str):
        raise ValueError("the row holds no point")
    return compact_json(read_point(bytes.fromhex(stored))).encode()


DATABASE = Database(
    tables=(
        Table(HISTORY, "history"),
        Table(HISTORY, "memory_history"),
        Table(MESSAGES, "messages"),
        Table(MEMORIES, "vectors", vector_row),
    )
)
COLLECTION = Database(tables=(Table(MEMORIES, "points", point_row),))
DOCUMENT = Document(entities=(MEMORIES, HISTORY), records=document_items)
MARKDOWN = Document(entities=(MEMORIES,), records=markdown_blocks)

MEM0 = Source(
    name="mem0",
    entities=(MEMORIES, HISTORY, MESSAGES),
    roots=roots,
    recognise=recognise,
)
