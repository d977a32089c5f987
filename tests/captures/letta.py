"""An agent of each of the two schemas that Letta exported."""

import json
from pathlib import Path
from typing import Any

BEGAN = "2026-05-04T09:00:00.000001+00:00"


def text(value: str) -> list[dict[str, str]]:
    """The content of a message that says one thing."""
    return [{"type": "text", "text": value}]


def wrapped(kind: str, **more: str) -> list[dict[str, str]]:
    """What an older server put into the user's mouth."""
    return text(json.dumps({"type": kind, **more, "time": "2026-05-04 09:00:00 AM UTC+0000"}))


def call(name: str, **arguments: object) -> dict[str, Any]:
    """A tool call."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"call-{name}", "type": "function", "function": function}


def message(minute: int, role: str, content: object, **more: object) -> dict[str, Any]:
    """A message of a minute."""
    moment = f"2026-05-04T09:{minute:02}:00.000001+00:00"
    return {"created_at": moment, "role": role, "content": content, "tool_calls": [], **more}


def old_agent() -> dict[str, Any]:
    """An agent that speaks through a tool, from before a file held several."""
    returned = text(json.dumps({"status": "OK", "message": "None"}))
    return {
        "agent_type": "memgpt_agent",
        "name": "harbour-clerk",
        "created_at": BEGAN,
        "core_memory": [
            {
                "label": "human",
                "value": "Berths are assigned by tide\nThe clerk works at night\n\n"
                "Cranes rest on Sundays",
                "updated_at": "2026-05-04T09:30:00",
            },
            {"label": "persona", "value": "I am the clerk of the harbour.", "updated_at": None},
            {"label": "notes", "value": "", "updated_at": None},
            {"label": "plan", "value": "[CURRENTLY EMPTY: write the plan here]"},
        ],
        "messages": [
            message(0, "system", text("You are a clerk.")),
            message(
                1,
                "assistant",
                text("Bootup sequence complete."),
                tool_calls=[call("send_message", message="More human than human is our motto.")],
            ),
            message(2, "tool", returned, tool_call_id="call-send_message"),
            message(3, "user", wrapped("login", last_login="never")),
            message(4, "user", wrapped("user_message", message="Which berth has a crane?")),
            message(
                5,
                "assistant",
                text("They want a crane. I look it up."),
                tool_calls=[call("find_berth", crane=True)],
            ),
            message(6, "user", wrapped("heartbeat", reason="returning control")),
            message(
                7,
                "assistant",
                text("Berth 7 has one."),
                tool_calls=[call("send_message", message="Berth 7 has the crane.")],
            ),
        ],
    }


def new_file() -> dict[str, Any]:
    """A file of one agent that answers in its own words and asks before it calls."""
    messages = [
        message(0, "system", text("You keep the lighthouse."), id="message-0"),
        message(1, "user", text("Is the lamp of the lighthouse on at noon?"), id="message-1"),
        message(
            2,
            "approval",
            [{"type": "reasoning", "reasoning": "I must read the meter."}],
            id="message-2",
            tool_calls=[call("read_meter")],
        ),
        message(
            3,
            "approval",
            [],
            id="message-3",
            approvals=[{"type": "approval", "approve": False, "reason": "The meter is broken"}],
        ),
        message(
            4, "tool", [], id="message-4", tool_returns=[{"status": "error", "func_response": "no"}]
        ),
        message(5, "assistant", text("The lamp is off from dawn to dusk."), id="message-5"),
    ]
    agent = {
        "id": "agent-0",
        "name": "lighthouse",
        "agent_type": "letta_v1_agent",
        "block_ids": ["block-1"],
        "messages": messages,
    }
    blocks = [
        {"id": "block-1", "label": "human", "value": "The keeper lives on the second floor"},
        {"id": "block-2", "label": "human", "value": "No agent of this file has this block"},
    ]
    files = [{"id": "file-0", "file_name": "tides/may.txt", "content": "High tide at noon"}]
    return {"agents": [agent], "blocks": blocks, "files": files, "created_at": BEGAN}


def write(folder: Path) -> None:
    """One file of each schema, and a second export of the newer one, numbered anew."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "clerk.af").write_text(json.dumps(old_agent(), indent=2), encoding="utf-8")
    file = new_file()
    (folder / "lighthouse.af").write_text(json.dumps(file), encoding="utf-8")
    for number, one in enumerate(file["agents"][0]["messages"]):
        one["id"] = f"message-{number + 40}"
    (folder / "lighthouse-again.af").write_text(json.dumps(file), encoding="utf-8")
