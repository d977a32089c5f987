"""Letta: agents exported as `.af` files, with their messages, memory blocks and attached files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.sources.source import (
    Answer,
    Document,
    Record,
    Source,
    compact_json,
    document_json,
    text_or_none,
)

MESSAGES, BLOCKS, FILES = "letta__messages", "letta__blocks", "letta__files"


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """None: an agent file lies where it was exported to."""
    return []


def recognise(path: Path, head: bytes) -> Answer | None:
    """Every `.af` file that begins as an agent does."""
    words = (b'"agent_type"', b'"agents"', b'"core_memory"')
    if path.suffix != ".af" or not any(word in head for word in words):
        return None
    return AGENT_FILE


def records(path: Path, text: str) -> Iterator[Record]:
    """The messages and blocks of each agent of a file, and the files attached to them.

    Raises:
        ValueError: the text is no agent file.
    """
    document = document_json(text)
    if not isinstance(document, dict):
        raise ValueError("not a JSON object")
    # Before 0.11 a file was one agent, with its blocks in it and no ids.
    agents = document.get("agents", [document])
    for agent in objects(agents):
        named = describe(agent)
        key = named["key"]
        for message in objects(agent.get("messages")):
            payload = compact_json({"agent": named, "message": message})
            yield Record(MESSAGES, key, payload)
        for block in blocks_of(agent, document):
            yield Record(BLOCKS, key, compact_json({"agent": named, "block": block}))
    for file in objects(document.get("files", [])):
        name = text_or_none(file.get("file_name")) or "file"
        yield Record(FILES, name, compact_json({"file": file}))


def describe(agent: dict[str, Any]) -> dict[str, Any]:
    """Name, type and key of an agent.

    An export numbers its agents anew. The name and the moment at which the agent began are what
    two exports of one agent share; a newer file tells that moment only by the first message.
    """
    name = text_or_none(agent.get("name")) or "agent"
    first = next(iter(objects(agent.get("messages"))), {})
    began = text_or_none(agent.get("created_at")) or text_or_none(first.get("created_at"))
    return {
        "key": "/".join(part for part in (name, began) if part),
        "name": name,
        "type": agent.get("agent_type"),
    }


def blocks_of(agent: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """An agent's memory blocks: its own, or those of the file that it names."""
    if agent is document:
        return objects(document.get("core_memory"))
    wanted = agent.get("block_ids")
    if not isinstance(wanted, list):
        return []
    return [block for block in objects(document.get("blocks", [])) if block.get("id") in wanted]


def objects(values: Any) -> list[dict[str, Any]]:
    """The objects of a list.

    Raises:
        ValueError: it is no list.
    """
    if not isinstance(values, list):
        raise ValueError("a list is missing")
    return [value for value in values if isinstance(value, dict)]


AGENT_FILE = Document(entities=(MESSAGES, BLOCKS, FILES), records=records)

LETTA = Source(name="letta", entities=(MESSAGES, BLOCKS, FILES), roots=roots, recognise=recognise)
