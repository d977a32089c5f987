"""Claude Code captures that say things again: resumes, copies, compactions, typed prompts."""

import itertools
import json
import os
from pathlib import Path
from typing import Any

ANSWER = "c0de0013-0000-4000-8000-000000000013"
RESUMED = "c0de0015-0000-4000-8000-000000000015"
RELABELLED = "c0de0016-0000-4000-8000-000000000016"
FOREGROUND = "c0de0018-0000-4000-8000-000000000018"
BACKGROUND = "c0de0018-0000-4000-8000-0000000000b6"
COPIED = "c0de0028-0000-4000-8000-000000000028"
COPY = "c0de0028-0000-4000-8000-0000000000c0"
COMPACTED = "c0de0019-0000-4000-8000-000000000019"
SKEWED = "c0de0029-0000-4000-8000-000000000029"
SUMMARISED = "c0de0040-0000-4000-8000-000000000040"
TYPED = "c0de0050-0000-4000-8000-000000000050"
DELETED = "c0de0051-0000-4000-8000-000000000051"
MODIFIED = 1_780_000_000


def line(session: str, number: int, said: Any, role: str = "user", **more: Any) -> dict[str, Any]:
    """One line of a session, `number` seconds after ten o'clock, with a uuid of its own."""
    message: dict[str, Any] = {"role": role, "content": said}
    if "message_id" in more:
        message["id"] = more.pop("message_id")
    return {
        "type": role,
        "uuid": f"{session[:8]}-{number:04d}-4000-9000-000000000000",
        "parentUuid": None,
        "sessionId": session,
        "cwd": "/home/u/work/repeats",
        "gitBranch": "main",
        "version": "2.1.0",
        "timestamp": f"2026-05-04T10:{number // 60:02d}:{number % 60:02d}.000Z",
        "message": message,
        **more,
    }


def talk(session: str, numbers: range, name: str, **more: Any) -> list[dict[str, Any]]:
    """Questions and answers in turn, each with a text of its own."""
    return [
        line(
            session,
            number,
            f"{name} {'answer' if number % 2 else 'question'} {number} about port {7000 + number}",
            "assistant" if number % 2 else "user",
            **more,
        )
        for number in numbers
    ]


def fresh(lines: list[dict[str, Any]], mark: str) -> list[dict[str, Any]]:
    """The same lines under uuids of their own."""
    return [{**one, "uuid": one["uuid"][:-12] + mark.rjust(12, "0")} for one in lines]


def save(path: Path, lines: list[dict[str, Any]], modified: int = MODIFIED) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    os.utime(path, (modified, modified))


def write(folder: Path) -> None:
    """All captures, as below `~/.claude`."""
    project = folder / "projects" / "-home-u-work-repeats"
    save(project / f"{ANSWER}.jsonl", answer_in_blocks())
    save(project / f"{RESUMED}.jsonl", resumed())
    save(project / f"{RELABELLED}.jsonl", relabelled())
    shared = talk(FOREGROUND, range(6), "Foreground")
    save(project / f"{FOREGROUND}.jsonl", shared)
    shared = [{**one, "sessionId": BACKGROUND} for one in shared]
    save(
        project / f"{BACKGROUND}.jsonl",
        shared + fresh(talk(BACKGROUND, range(6, 9), "Background"), "b6"),
        MODIFIED + 60,
    )
    copied = talk(COPIED, range(6), "Copied")
    save(project / f"{COPIED}.jsonl", copied)
    copied = fresh([{**one, "sessionId": COPY} for one in copied], "c0")
    save(project / f"{COPY}.jsonl", copied + fresh(talk(COPY, range(6, 9), "Copy"), "c1"))
    save(project / f"{COMPACTED}.jsonl", compacted_twice())
    save(project / f"{SKEWED}.jsonl", skewed())
    write_subagents(project)
    write_history(folder, project)


def answer_in_blocks() -> list[dict[str, Any]]:
    """One answer in three lines of one message id (BR13)."""
    blocks = [
        {"type": "thinking", "thinking": "The port is in the settings."},
        {"type": "text", "text": "I look at the settings of the ferry service."},
        {"type": "tool_use", "name": "Read", "input": {"file_path": "settings.toml"}},
    ]
    answers = [
        line(ANSWER, number, [block], "assistant", message_id="msg_blocks")
        for number, block in enumerate(blocks, start=1)
    ]
    return [line(ANSWER, 0, "Which port has the ferry service?"), *answers]


def resumed() -> list[dict[str, Any]]:
    """A question and one answer, four times under fresh uuids, the first ones cut off (BR15)."""
    question = line(RESUMED, 0, "Where does the lighthouse service listen?")
    states = ["It", "It listens", "It listens", "It listens on port 7443 of the lighthouse."]
    lines = []
    for number, (state, tokens) in enumerate(zip(states, (1, 3, 3, 412), strict=True)):
        content = [{"type": "text", "text": state}]
        again = line(RESUMED, 1, content, "assistant", message_id="msg_resumed")
        again["message"]["usage"] = {"output_tokens": tokens}
        pair = fresh([question, again], f"a{number}")
        lines += [pair[0], {**pair[1], "parentUuid": pair[0]["uuid"]}]
    return lines


def relabelled() -> list[dict[str, Any]]:
    """One uuid: a line, the same line, another branch and version, one more key (BR16)."""
    first = line(RELABELLED, 0, "The harbour service keeps its queue in Postgres.")
    moved = {**first, "gitBranch": "harbour", "version": "2.1.9"}
    return [first, first, moved, {**moved, "slug": "quiet-harbour"}]


def compacted_twice() -> list[dict[str, Any]]:
    """100 rows, a boundary and a summary, 20 rows, the 100 once more, 5 new ones (BR19)."""
    rows = talk(COMPACTED, range(125), "Compacted")
    boundary = line(COMPACTED, 900, None, "system", subtype="compact_boundary")
    boundary["content"] = "Conversation compacted"
    summary = line(
        COMPACTED,
        901,
        "This session is being continued from a previous conversation that ran out of context.",
        isCompactSummary=True,
    )
    return [*rows[:100], boundary, summary, *rows[100:120], *rows[:100], *rows[120:]]


def skewed() -> list[dict[str, Any]]:
    """Two questions and answers, written backwards: one clock behind, one stamp missing (BR29)."""
    asked = line(SKEWED, 0, "Which tide table does the pilot read?")
    answered = line(SKEWED, 1, "The pilot reads the table of the north pier.", "assistant")
    asked_on = line(SKEWED, 2, "And who wrote the table of the north pier?")
    answered_on = line(SKEWED, 3, "The harbour master wrote it in May.", "assistant")
    answered["timestamp"] = "2026-05-04T09:50:00.000Z"
    asked_on["timestamp"] = asked["timestamp"]
    del answered_on["timestamp"]
    chain = [asked, answered, asked_on, answered_on]
    for parent, child in itertools.pairwise(chain):
        child["parentUuid"] = parent["uuid"]
    return chain[::-1]


def write_subagents(project: Path) -> None:
    """A session with compaction copies of it, and subagents in both layouts."""
    said = talk(SUMMARISED, range(4), "Summarised")
    save(project / f"{SUMMARISED}.jsonl", said)
    beside = project / SUMMARISED / "subagents"
    inside = [{**one, "isSidechain": True, "agentId": "acompact-1"} for one in said]
    request = line(
        SUMMARISED,
        10,
        "Your task is to create a detailed summary of the conversation so far.",
        isSidechain=True,
    )
    answer = line(SUMMARISED, 11, "We spoke about ports.", "assistant", isSidechain=True)
    save(beside / "agent-acompact-1.jsonl", [*inside, request, answer], MODIFIED + 60)
    save(beside / "agent-acompact-2.jsonl", fresh(inside, "ac"), MODIFIED + 120)
    for number, path in enumerate((beside / "agent-a1.jsonl", project / "agent-1a2b3c4d.jsonl")):
        task = talk(SUMMARISED, range(20 + 2 * number, 22 + 2 * number), "Subagent")
        save(path, [{**one, "isSidechain": True} for one in task])


def write_history(folder: Path, project: Path) -> None:
    """Prompts as they were typed, of a session that is there and one that is gone."""
    paste = "First row \\1\nsecond row"
    save(project / f"{TYPED}.jsonl", [line(TYPED, 0, f"Read this: {paste}")])
    times = iter(range(1_777_888_800_000, 1_777_888_900_000, 1_000))

    def typed(display: str, session: str | None, **pastes: Any) -> dict[str, Any]:
        named = {"sessionId": session} if session else {}
        where = {"timestamp": next(times), "project": "/home/u/work/repeats"}
        return {"display": display, "pastedContents": pastes, **where, **named}

    pasted = {"id": 1, "type": "text", "content": paste}
    kept_elsewhere = {"id": 2, "type": "text", "contentHash": "ab12"}
    save(
        folder / "history.jsonl",
        [
            typed("Read this: [Pasted text #1 +1 lines]", TYPED, **{"1": pasted}),
            typed("/clear ", TYPED),
            typed("The buoy service needs port 7555", DELETED),
            typed("/review", DELETED),
            typed("!ls", DELETED),
            typed("Compare with [Pasted text #2 +9 lines]", DELETED, **{"2": kept_elsewhere}),
            typed("The tide tables come from the harbour office", None),
        ],
    )
