"""What upstream's strips leave of a text, answered by the whole ladder, as its model climbs it."""

import hashlib
from collections.abc import Sequence
from typing import Any

from test_ladder import bodies
from test_macros import over

from replays import Case, Replay


def text_of(case: Case) -> str:
    """A case's text; no text is an empty one."""
    given = case["input"]
    if isinstance(given, dict):
        given = given.get("text", given.get("repr"))
    if isinstance(given, dict):
        given = given["content"]
    return given or ""


def of_users(cases: Sequence[Case]) -> list[str]:
    return bodies([text_of(case) for case in cases])


def of_agents(cases: Sequence[Case]) -> list[str]:
    return bodies([text_of(case) for case in cases], "assistant")


def hashes(cases: Sequence[Case]) -> list[str]:
    return [hashlib.sha256(body.encode()).hexdigest() for body in of_users(cases)]


def saved_frames(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """The frames that upstream wrote, written again from what staging and the ladder read."""
    frames = [case["expected"] for case in cases]
    contents = [frame["content"] for frame in frames]
    names = ("session", "parent", "src", "event", "project")
    header = "first_match('text', '^\\\\[hm ([^\\\\]]*)\\\\]')"
    values = [over(f'header_token({header}, "{name}")', contents) for name in names]
    read = [dict(zip(names, tokens, strict=True)) for tokens in zip(*values, strict=True)]
    prefixes = [" ".join(f"{name}:{value}" for name, value in t.items() if value) for t in read]
    return [
        {**frame, "content": f"[hm {prefix}] {body}"}
        for frame, prefix, body in zip(frames, prefixes, bodies(contents), strict=True)
    ]


def lengths(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Whole texts, measured as upstream measures what it cut: tamis cuts none."""
    units = [len(body.encode("utf-16-le")) // 2 for body in of_users(cases)]
    return [
        {
            "utf16_len": count,
            "ends_with_marker": False,
            "lone_surrogate_at_cut": False,
            "prefix_utf16_units_kept": count,
        }
        for count in units
    ]


def prompts(cases: Sequence[Case]) -> list[Any]:
    """Prompts, those of which upstream states the length measured likewise."""
    return [
        {"length": len(body), "ends_with_ellipsis": body.endswith("…")}
        if isinstance(case["expected"], dict)
        else body
        for case, body in zip(cases, of_users(cases), strict=True)
    ]


def protocol(cases: Sequence[Case]) -> list[bool]:
    """Whether a prompt is a machine's text, with no words of a person in it."""
    return [kind is not None for kind in over("kind_of_wrapped('text')", map(text_of, cases))]


def labels(cases: Sequence[Case]) -> list[None]:
    """tamis keeps no label of a sender: a fact is its namespace's, whoever said it there."""
    return [None] * len(cases)


REPLAYS: dict[str, Replay] = {
    "claude_mem/is_internal_protocol_payload": protocol,
    "claude_mem/normalize_stored_prompt": prompts,
    "claude_mem/strip_memory_tags": of_users,
    "hive_mind/content_hash": hashes,
    "hive_mind/frame_to_save_payload": saved_frames,
    "hive_mind/strip_hm_prefix": of_users,
    "mem0_openclaw/sanitize_query": of_users,
    "mem0_openclaw/strip_noise_from_content": of_users,
    "mem0_openclaw/truncate_message": lengths,
    "openclaw/extract_sender_label": labels,
    "openclaw/strip_envelope": of_users,
    "openclaw/strip_inbound_metadata": of_users,
    "openclaw/strip_message_id_hints": of_users,
    "openclaw/strip_trailing_silent": of_agents,
}
