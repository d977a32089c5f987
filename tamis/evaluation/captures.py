"""Conversations as captures of real systems: OpenClaw's transcripts, and mem0's replaced memories.

Each store is an agent of its own, so that many stores land into one home and none sees another.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tamis import session_keys
from tamis.evaluation.pollution import Capture, Store, Update
from tamis.home import Settings

EXTRACTED_AFTER = timedelta(minutes=1)


@dataclass(frozen=True)
class Label:
    """What is known of a planted event, whatever curation makes of it.

    Attributes:
        stands_for: the clean text that it is a sighting of.
        kind: turn, exact, near, noise, loop, invention or stale.
        replaced_by: the true text where it is a stale twin.
    """

    stands_for: str
    kind: str
    replaced_by: str | None = None


def namespace_of(agent: str) -> str:
    """The namespace of an agent, with the default settings."""
    return session_keys.namespace_of(Settings().user_id, agent)


def write_store(folder: Path, agent: str, store: Store) -> dict[str, Label]:
    """Write a store below a folder, as the captures of one agent.

    Returns:
        The label of every planted event by its native id.
    """
    sessions: dict[str, list[Capture]] = {}
    for capture in store.captures:
        sessions.setdefault(capture.turn.session, []).append(capture)
    place = folder / "openclaw" / "agents" / agent / "sessions"
    place.mkdir(parents=True)
    labels = {}
    for session, captures in sessions.items():
        name = f"{agent}-{session}"
        lines = [session_head(name, captures[0].turn.said_at)]
        for number, capture in enumerate(captures):
            native_id = f"{name}-{number}"
            parent = f"{name}-{number - 1}" if number else None
            lines.append(message(native_id, parent, capture))
            labels[native_id] = Label(capture.stands_for, capture.kind, capture.replaced_by)
        write_lines(place / f"{name}.jsonl", lines)
    if store.updates:
        items, of_updates = mem0_items(agent, store.updates)
        labels |= of_updates
        document = folder / "mem0" / f"{agent}.json"
        document.parent.mkdir(parents=True, exist_ok=True)
        document.write_text(json.dumps({"results": items}, ensure_ascii=False), encoding="utf-8")
    return labels


def session_head(name: str, begun: datetime) -> dict[str, object]:
    """The first line of a transcript."""
    return {"type": "session", "version": 3, "id": name, "timestamp": stamp(begun)}


def message(native_id: str, parent: str | None, capture: Capture) -> dict[str, object]:
    """A line of a transcript."""
    turn = capture.turn
    return {
        "type": "message",
        "id": native_id,
        "parentId": parent,
        "timestamp": stamp(turn.said_at),
        "message": {"role": turn.role, "content": [{"type": "text", "text": turn.text}]},
    }


def mem0_items(
    agent: str, updates: Iterable[Update]
) -> tuple[list[dict[str, object]], dict[str, Label]]:
    """A memory for every stale text and one that replaced it, and the labels of both.

    The new one is extracted a minute after the turn that it is about.
    """
    items: list[dict[str, object]] = []
    labels = {}
    for number, update in enumerate(updates):
        old, new = (f"{agent}-memory-{number}-{age}" for age in ("old", "new"))
        extracted = stamp(update.turn.said_at + EXTRACTED_AFTER)
        shared = {"agent_id": agent, "user_id": "reader"}
        items += [
            {
                **shared,
                "id": old,
                "memory": update.stale,
                "created_at": stamp(update.begun_at),
                "updated_at": extracted,
                "replaced_by": new,
            },
            {**shared, "id": new, "memory": update.turn.text, "created_at": extracted},
        ]
        labels[old] = Label(update.stale, "stale", update.turn.text)
        labels[new] = Label(update.turn.text, "exact")
    return items, labels


def write_lines(path: Path, lines: Iterable[dict[str, object]]) -> None:
    """A file of JSON lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def stamp(time: datetime) -> str:
    """A time as the captures tell it."""
    return f"{time:%Y-%m-%dT%H:%M:%S}.000Z"
