"""Noise, generic replies and machine runs: what upstream drops, and what tamis refuses."""

import functools
import json
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from captures import hive_mind, openclaw
from landing_home import land_into, query, write
from rendered_models import row_wise_models
from test_rules import seed

from replays import Case
from tamis.build import run_dbt
from tamis.explain import Explainer
from tamis.home import Settings, project_dir
from tamis.rules.rows import read_seeds

Event = dict[str, Any]
CATEGORIES = {row["rule_id"]: row["category"] for row in seed("noise_rules")}
SPEAKERS = ("user", "assistant")


@functools.cache
def _explainer() -> Explainer:
    return Explainer(row_wise_models(), read_seeds(project_dir() / "seeds"), Settings())


def _verdicts(events: Sequence[Event]) -> list[dict[str, Any]]:
    return _explainer().explain([json.dumps(event) for event in events])


def _is_refused(verdict: dict[str, Any]) -> bool:
    return verdict["noise_rule"] is not None


def _category(verdict: dict[str, Any]) -> str | None:
    return CATEGORIES.get(verdict["noise_rule"])


def _noise(cases: Sequence[Case]) -> list[bool]:
    return [
        _is_refused(verdict)
        for verdict in _verdicts([{"content": case["input"]} for case in cases])
    ]


def _generic(cases: Sequence[Case]) -> list[bool]:
    events = [{"content": case["input"], "role": "assistant"} for case in cases]
    return [_category(verdict) == "generic_reply" for verdict in _verdicts(events)]


def _session_talk(cases: Sequence[Case]) -> list[bool]:
    events = [{"content": case["input"], "role": "assistant"} for case in cases]
    return [_category(verdict) == "session_talk" for verdict in _verdicts(events)]


def _text(content: Any) -> str:
    """A message's text as staging reads it: text blocks, each on a line of its own."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _kept(conversations: Sequence[tuple[Sequence[Event], str | None]]) -> list[list[Event]]:
    """Of each conversation and its key: the messages that curation keeps, and what is left."""
    events = [
        {"role": message["role"], "content": _text(message["content"]), "session_key": key}
        | ({} if message["role"] in SPEAKERS else {"event_kind": "system"})
        for messages, key in conversations
        for message in messages
    ]
    verdicts = iter(_verdicts(events))
    return [
        [
            {"role": message["role"], "content": verdict["body"]}
            for message, verdict in zip(messages, verdicts, strict=False)
            if not _is_refused(verdict)
        ]
        for messages, _ in conversations
    ]


def _filtered(cases: Sequence[Case]) -> list[list[Event]]:
    return _kept([(case["input"], None) for case in cases])


def _captured(cases: Sequence[Case]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    conversations = [
        (case["input"]["event"]["messages"], case["input"]["ctx"].get("sessionKey"))
        for case in cases
    ]
    for kept in _kept(conversations):
        if kept:
            # How the memory service is called is nothing that curation decides.
            call = {"run_id": None, "system_preamble_first": True}
            answers.append({"captured": True, "user_id": "alice", **call, "messages": kept})
        else:
            answers.append({"captured": False})
    return answers


def _silent(cases: Sequence[Case]) -> list[bool]:
    verdicts = _verdicts([{"content": case["input"], "role": "assistant"} for case in cases])
    return [
        _is_refused(verdict) and "NO_REPLY" in case["input"]
        for case, verdict in zip(cases, verdicts, strict=True)
    ]


def _heartbeat(cases: Sequence[Case]) -> list[dict[str, Any]]:
    texts = [case["input"]["text"] or "" for case in cases]
    answers = []
    for verdict in _verdicts([{"content": text, "role": "assistant"} for text in texts]):
        # A greeting beside the token is refused as well, but not for the token's sake.
        is_silent = verdict["noise_rule"] in ("heartbeat_reply", "empty_body", "emoji_only")
        answers.append(
            {
                "should_skip": is_silent,
                "text": "" if is_silent else verdict["body"],
                "did_strip": "silent token" in verdict["steps"]
                or verdict["noise_rule"] == "heartbeat_reply",
            }
        )
    return answers


def _observer(cases: Sequence[Case]) -> list[str]:
    verdicts = _verdicts([{"content": case["input"], "role": "assistant"} for case in cases])
    words = {"self_capture": "xml", "empty": "idle"}
    return [words.get(_category(verdict) or "", "prose") for verdict in verdicts]


def _landed(folder: Path) -> Path:
    """A home that landed what is in the folder, built as far as the verdicts."""
    home = folder / "home"
    land_into(home, folder / "captures")
    arguments = ["build", "--select", "+int_events_deduplicated", "--exclude-resource-type"]
    run_dbt(home, Settings(), [*arguments, "unit_test", "test"], run_id="replay")
    return home


VERDICTS = """
    select events.session_id, events.role, bodies.body, classified.rule_id, events.native_id,
        classified.is_turn and verdicts.cover_rule is null as is_kept
    from intermediate.int_events_unioned as events
    inner join intermediate.int_events_ordered as places on events.event_id = places.event_id
    inner join intermediate.int_events_redacted as bodies on events.event_id = bodies.event_id
    inner join intermediate.int_events_classified as classified
        on events.event_id = classified.event_id
    inner join intermediate.int_events_deduplicated as verdicts
        on events.event_id = verdicts.event_id
    where events.source_system = '{}'
    order by places.event_order
"""


def _curated_turns(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Each case is a session; what one side says in a row answers the same message."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "captures/agents/main/sessions"
        for number, case in enumerate(cases):
            session = f"7d000000-0000-4000-8000-{number:012d}"
            lines = [openclaw.header(session)]
            parent, last, speaker = "root", "root", ""
            for place, message in enumerate(case["input"]):
                if message["role"] != speaker:
                    parent, speaker = last, message["role"]
                last = f"{number:04d}{place:04d}"
                line = openclaw.message(last, speaker, message["text"], 5 * place, parent)
                entry = json.loads(line)
                entry["message"] |= {
                    name: message[name] for name in ("provider", "model") if name in message
                }
                lines.append(json.dumps(entry))
            write(folder / f"{session}.jsonl", *lines)
        rows = query(_landed(Path(scratch)), VERDICTS.format("openclaw"))
    answers: list[dict[str, Any]] = [{"kept": []} for _ in cases]
    for session, role, body, rule_id, _, is_kept in rows:
        answer = answers[int(session[-12:])]
        if is_kept:
            answer["kept"].append({"role": role, "text": body})
        elif CATEGORIES.get(rule_id) == "subagent":
            answer["quarantined"] = answer.get("quarantined", 0) + 1
    return answers


def _bookkeeping(cases: Sequence[Case]) -> list[bool]:
    """Each case is a frame of a mind; what tamis refuses is dropped."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "captures/cases.mind"
        path.parent.mkdir()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(hive_mind.TABLES)
            connection.executemany(
                "insert into memory_frames (id, frame_type, gop_id, t, content, importance, source,"
                " access_count, created_at) values (?, 'I', 'g', 0, ?, 'normal', 'system', 0, ?)",
                [(number, case["input"], hive_mind.AT) for number, case in enumerate(cases)],
            )
        rows = query(_landed(Path(scratch)), VERDICTS.format("hive_mind"))
    refused = {int(native_id.split("/")[1]): bool(rule_id) for *_, rule_id, native_id, _ in rows}
    return [refused[number] for number in range(len(cases))]


REPLAYS = {
    "mem0_openclaw/is_noise_message": _noise,
    "mem0_openclaw/is_generic_assistant_message": _generic,
    "mem0_openclaw/is_session_specific_content": _session_talk,
    "mem0_openclaw/filter_messages_for_extraction": _filtered,
    "mem0_openclaw/auto_capture_hook": _captured,
    "openclaw/is_silent_reply": _silent,
    "openclaw/strip_heartbeat_token": _heartbeat,
    "openclaw/turn_curation": _curated_turns,
    "hive_mind/bookkeeping_filter": _bookkeeping,
    "claude_mem/classify_observer_output": _observer,
}
