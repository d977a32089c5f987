"""Codex captures of all ages: dual and single writing, forks, rollbacks, bare and packed files."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

START = datetime(2026, 5, 4, 9, 0, 0, tzinfo=UTC)
FOLDER = "/home/u/work/lamp"


def session(number: int) -> str:
    """A thread's id."""
    return f"c0de0000-0000-4000-8000-{number:012d}"


DUAL, SINGLE, FORK, GRANDCHILD, ROLLED, BARE, PACKED, AGENT, EDITOR, HEADLESS, GONE, ODD = map(
    session, range(1, 13)
)


class Rollout:
    """A rollout in the making: each call adds one line, a second after the one before.

    Args:
        identity: the thread's id.
        minute: when it begins, in minutes after START.
        head: what the head says beside id, time, folder and version; None for a file without.
    """

    def __init__(self, identity: str, minute: int, head: dict[str, Any] | None) -> None:
        self.identity = identity
        self.now = START + timedelta(minutes=minute)
        self.lines: list[dict[str, Any]] = []
        if head is not None:
            own = {"id": identity, "timestamp": self.time(), "cwd": FOLDER, "source": "cli"}
            git = {"branch": "main", "repository_url": "git@git.example.org:team/lamp.git"}
            self.add("session_meta", {**own, "cli_version": "0.120.0", "git": git, **head})

    def time(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def add(self, kind: str, payload: dict[str, Any], **more: Any) -> None:
        line = {"timestamp": self.time(), "type": kind, "payload": payload, **more}
        self.lines.append(line)
        self.now += timedelta(seconds=1)

    def item(self, role: str, *texts: str) -> None:
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text} for text in texts]
        self.add("response_item", {"type": "message", "role": role, "content": content})

    def shown(self, role: str, text: str, **more: Any) -> None:
        kind = "user_message" if role == "user" else "agent_message"
        self.add("event_msg", {"type": kind, "message": text, **more})

    def both(self, role: str, text: str) -> None:
        """An item and what the client showed of it: a person's item first, an answer's last."""
        if role == "user":
            self.item(role, text)
        self.shown(role, text)
        if role == "assistant":
            self.item(role, text)

    def turn(self, identity: str, cwd: str = FOLDER) -> None:
        self.add("turn_context", {"turn_id": identity, "cwd": cwd, "summary": "auto"})

    def replay(self, parent: "Rollout") -> None:
        """The parent's lines, all written now, some as a later version would write them."""
        for line in parent.lines:
            payload = dict(line["payload"])
            if payload.get("type") == "token_count":
                continue
            if payload.get("type") == "user_message":
                payload["images"] = []
            again = {"timestamp": self.time(), "type": line["type"], "payload": payload}
            self.lines.append(again)

    def text(self) -> str:
        return "".join(json.dumps(line) + "\n" for line in self.lines)


def dual() -> Rollout:
    """Written twice; the person and the model each say the same twice."""
    rollout = Rollout(DUAL, 0, {})
    rollout.item("developer", "<permissions instructions>ask</permissions instructions>")
    rollout.item(
        "user",
        f"# AGENTS.md instructions for {FOLDER}\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
        f"<environment_context>\n  <cwd>{FOLDER}</cwd>\n</environment_context>",
    )
    rollout.add("event_msg", {"type": "task_started", "turn_id": "t1"})
    rollout.turn("t1")
    rollout.both("user", "The lamp service listens on port 7443")
    rollout.add("event_msg", {"type": "agent_reasoning", "text": "Look first"})
    rollout.add(
        "response_item",
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look first"}]},
    )
    call = {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}'}
    rollout.add("response_item", {**call, "call_id": "call_1"})
    output = {"type": "function_call_output", "call_id": "call_1", "output": "lamp.toml"}
    rollout.add("response_item", output)
    # What is shown of a long answer can come minutes before its item.
    rollout.shown("assistant", "The config holds it.")
    rollout.shown("assistant", "The config holds it.")
    rollout.now += timedelta(minutes=3)
    rollout.item("assistant", "The config holds it.")
    rollout.item("assistant", "The config holds it.")
    rollout.add("event_msg", {"type": "token_count", "info": {"total": 10}})
    for turn in ("t2", "t3"):
        rollout.turn(turn, cwd=f"{FOLDER}/docs" if turn == "t3" else FOLDER)
        rollout.both("user", "carry on with the lamp manual")
        rollout.both("assistant", f"Chapter {turn} is written.")
    return rollout


def rolled() -> Rollout:
    """Three turns of which two are taken back, then one more that is taken back too."""
    rollout = Rollout(ROLLED, 60, {})
    for name in ("oak", "elm", "fir"):
        rollout.both("user", f"The shelf is made of {name}")
        rollout.both("assistant", f"Noted, {name} it is.")
    rollout.add("event_msg", {"type": "thread_rolled_back", "num_turns": 2})
    rollout.both("user", "The shelf is made of ash")
    rollout.add("event_msg", {"type": "thread_rolled_back", "num_turns": 1})
    summary = [{"role": "user", "content": [{"type": "input_text", "text": "A shelf of oak"}]}]
    rollout.add("compacted", {"message": "", "replacement_history": summary})
    return rollout


def forks(parent: Rollout) -> list[Rollout]:
    """A fork, and a fork of it that repeats no head but its own."""
    fork = Rollout(FORK, 90, {"forked_from_id": parent.identity})
    fork.replay(parent)
    fork.now += timedelta(seconds=5)
    fork.turn("t9")
    fork.both("user", "The lamp is painted blue")
    grandchild = Rollout(GRANDCHILD, 120, {"forked_from_id": FORK})
    grandchild.replay(fork)
    grandchild.lines = [
        line
        for number, line in enumerate(grandchild.lines)
        if number == 0 or line["type"] != "session_meta"
    ]
    grandchild.turn("t10")
    grandchild.both("user", "The lamp is painted blue")
    return [fork, grandchild]


def single() -> Rollout:
    """Written once, with ordinals."""
    rollout = Rollout(SINGLE, 30, {"cli_version": "0.153.0", "session_id": SINGLE})
    rollout.turn("t1")
    for _ in range(2):
        rollout.item("user", "go on")
        rollout.item("assistant", "The chart has two axes.")
    rollout.lines = [{**line, "ordinal": n} for n, line in enumerate(rollout.lines)]
    return rollout


def editor() -> Rollout:
    """A prompt from an editor with an image, shown as one text."""
    rollout = Rollout(EDITOR, 150, {"originator": "codex_vscode"})
    prompt = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- lamp.toml: lamp.toml\n\n"
        "## My request for Codex:\nKeep the lamp's price below 40 euro\n"
    )
    rollout.item("user", "<image name=[Image #1]>", "</image>", prompt)
    rollout.shown("user", prompt)
    return rollout


def headless() -> Rollout:
    """No head; one answer is shown in two ways and never became an item."""
    rollout = Rollout(HEADLESS, 180, None)
    rollout.shown("user", "Who checks the lamp's cable?")
    said = {"type": "AgentMessage", "content": [{"type": "Text", "text": "The night shift does."}]}
    rollout.shown("assistant", "The night shift does.")
    rollout.add("event_msg", {"type": "item_completed", "turn_id": "t1", "item": said})
    return rollout


def agent() -> Rollout:
    """A subagent's thread."""
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": SINGLE, "depth": 1}}}
    rollout = Rollout(AGENT, 31, {"source": spawn})
    rollout.item("user", "Count the lamps in the store")
    rollout.item("assistant", "There are twelve lamps.")
    return rollout


def bare() -> str:
    """Lines of the first age, without times of their own."""
    context = f"<environment_context>\n  <cwd>{FOLDER}</cwd>\n</environment_context>"
    head = {"id": BARE, "timestamp": "2025-08-20T09:00:00.000Z", "instructions": None}
    said = [("user", context), ("user", "The lamp needs a 40 W bulb"), ("assistant", "Noted.")]
    lines: list[dict[str, Any]] = [head, {"record_type": "state"}]
    for role, text in said:
        kind = "output_text" if role == "assistant" else "input_text"
        lines.append({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
    lines.append({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"})
    return "".join(json.dumps(line) + "\n" for line in lines)


def odd() -> str:
    """Lines that no version wrote, one of which still says something."""
    rollout = Rollout(ODD, 240, {"git": "none", "source": ["cli"], "forked_from_id": 7})
    rollout.item("user", "Half a lamp \ud83d is on the stairs")
    rollout.add("response_item", {"type": "message", "role": ["user"], "content": "a bare text"})
    rollout.add("response_item", {"type": "message", "role": "user", "content": [1, None, {}]})
    rollout.add("response_item", {"type": "function_call_output", "output": {"content": "x"}})
    rollout.add("response_item", {"type": 5, "content": {"text": "who knows"}})
    rollout.add("event_msg", {"type": "item_completed", "item": "none"})
    rollout.add("event_msg", {"type": "thread_rolled_back", "num_turns": "none"})
    lines = ['{"timestamp":[],"type":"response_item","payload":null}', '["response_item"]', "7"]
    return rollout.text() + "".join(line + "\n" for line in lines)


def history() -> str:
    """Prompts: two that a rollout holds, one whose rollout is gone, one that steers the client."""
    first = int(START.timestamp())
    prompts = [
        (DUAL, first + 4, "The lamp service listens on port 7443"),
        (DUAL, first + 500, "carry on with the lamp manual"),
        (DUAL, first + 900, "carry on with the lamp manual"),
        (GONE, first + 7200, "The lamp store opens at nine"),
        (GONE, first + 7300, "/compact"),
    ]
    return "".join(
        json.dumps({"session_id": owner, "ts": at, "text": text}) + "\n"
        for owner, at, text in prompts
    )


def write(folder: Path) -> None:
    """A Codex home below the folder."""
    day = folder / "sessions/2026/05/04"
    archive = folder / "archived_sessions"
    for place in (day, archive):
        place.mkdir(parents=True)
    parent = dual()
    for rollout in (parent, single(), *forks(parent), editor(), headless(), agent()):
        name = f"rollout-2026-05-04T09-00-00-{rollout.identity}.jsonl"
        (day / name).write_text(rollout.text())
    (archive / f"rollout-2026-05-04T10-00-00-{ROLLED}.jsonl").write_text(rolled().text())
    (archive / f"rollout-2025-08-20T09-00-00-{BARE}.jsonl").write_text(bare())
    (archive / f"rollout-2026-05-04T13-00-00-{ODD}.jsonl").write_text(odd())
    packed = Rollout(PACKED, 200, {})
    packed.both("user", "The packed lamp has no bulb")
    place = archive / f"rollout-2026-05-04T12-20-00-{PACKED}.jsonl.zst"
    with pa.CompressedOutputStream(str(place), "zstd") as stream:
        stream.write(packed.text().encode())
    (folder / "history.jsonl").write_text(history())
