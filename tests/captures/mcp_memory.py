"""Three states of a memory file, and one of a memory document."""

import json
import os
from pathlib import Path

HOUR = 3600
FIRST_MOMENT = 1_780_000_000
PORT = "The bakery service listens on port 7443"
OVEN = "The oven module is called ember"
FLOUR = "Flour is ordered on Mondays"
STATES = [
    [PORT, OVEN, FLOUR],
    ["The bakery service listens on port 8443", OVEN, FLOUR],
    ["The bakery service listens on port 8443", FLOUR],
]


def state(observations: list[str]) -> str:
    """A file of one entity, one bare entity and one relation."""
    lines: list[dict[str, object]] = [
        {"type": "entity", "name": "bakery", "entityType": "service", "observations": observations},
        {"type": "entity", "name": "mill", "entityType": "supplier", "observations": []},
        {"type": "relation", "from": "mill", "to": "bakery", "relationType": "delivers to"},
    ]
    return "\n".join(json.dumps(line) for line in lines)


def write_state(file: Path, text: str, number: int) -> None:
    """Write a state of a file as of its hour."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (FIRST_MOMENT + number * HOUR, FIRST_MOMENT + number * HOUR))


def write(folder: Path) -> None:
    """Each state in a folder of its own, as backups of one project have it."""
    for number, observations in enumerate(STATES):
        write_state(folder / f"{number}/oak-bakery/memory.jsonl", state(observations), number)
    one_a_line = {
        "entityName": "oak-dairy",
        "entityType": "project",
        "observation": "The dairy prints its labels at night",
        "updatedAt": "2026-05-04",
    }
    write_state(folder / "oak-dairy/memory.jsonl", json.dumps(one_a_line) + "\n", 0)
    graph = {
        "entities": [
            {
                "name": "lathe",
                "entityType": "TOOL",
                "observations": ["The lathe runs at 900 turns", "The lathe needs oil weekly"],
            }
        ],
        "relations": [{"from": "lathe", "to": "shop", "relationType": "STANDS_IN"}],
    }
    write_state(folder / "oak-joinery/.mcp/memory.json", json.dumps(graph, indent=2), 0)
