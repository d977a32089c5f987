"""Noise by its categories: what is refused in each guise, and what only looks like it."""

from collections.abc import Sequence

from replays.noise import _verdicts as verdicts
from test_rules import rule_ids, seed

CATEGORIES = {row["rule_id"]: row["category"] for row in seed("noise_rules")}

REFUSED = {
    "user": {
        "acknowledgement": [
            "alright, got it",
            "mm-hmm",
            "sí, perfecto",
            "Vielen Dank 🙏",
            "cảm ơn",
            "شكرا",
            "ठीक है",
            "🇫🇮",
            "1️⃣",
            "👩🏽‍🚒",
            "SUCCESS!",
        ],
        "system_line": [
            "Current time: 2026-05-04T09:15:00Z",
            "Current time: Mon May 4 2026, 09:15",
            "System: [x] Gateway restart ok",
            "System (untrusted): [2026-05-04] Slack message edited in #kitchen",
        ],
        "log_line": [
            "ERROR: relation does not exist",
            "warning: unused variable: x",
            "Error: no such oven\n    at bake (oven.js:1:2)\n    at main (main.js:3:4)",
            "[2026-05-04T12:00:00.000Z] boot\n[2026-05-04T12:00:01.000Z] ready",
            "[12:30:05] worker ready",
            "2026-05-04 12:00:01,123 INFO started",
        ],
        "progress": ["Fetched.", "processed", "Loading weights...", "Processing 3 of 10"],
        "tool_noise": ["Invoking method bake", "Tool result: 42 rows", "Call function bake"],
        "session_lifecycle": [
            "Session ended.",
            "New session started",
            "User returned after a 2 hour break",
            "stop hook: session ended at 2026-05-04T10:00:00.000Z",
        ],
        "recall_echo": [
            "Relevant memories:\n1. The port is 7443",
            "Relevant memories: User bakes on Mondays",
            "## Relevant Memories\n\n- User bakes\n- User has an oven",
        ],
        "self_capture": ["<observed_from_primary_session>\nBash\n</observed_from_primary_session>"],
    },
    "assistant": {
        "generic_reply": [
            "I see you’ve shared a list of ovens. Is there one that you want me to look at?",
            "Thanks for sharing that! I'll review it.",
            "Got it. Let me update the list.",
            "Hello! How can I help you today? 😊",
            "You're welcome! Let me know if you need anything else.",
            "I will look into why the oven is cold.",
            "Understood. What should I bake next?",
            "That's clear!",
            "¿En qué puedo ayudarte hoy?",
            "有什么可以帮您的吗？",
            "Now let me check the callers in oven.py:",
            "Let me continue reading the rest of the diff.",
            "I’ll quickly scan the kitchen to recall what stands where.",
            "Let me look at the `bake()` function first:",
        ],
        "session_talk": [
            "The memory_add tool is not available in this session.",
            "I don't see any memory tools exposed here.",
        ],
        "self_capture": ["<skip_summary/>", "<summary>\n<request>Bake</request>\n</summary>"],
    },
}

KEPT = {
    "user": [
        "k",
        "5%",
        "Current time: 3:58 AM",
        "System: we run Debian 12 on all servers",
        "[draft] the plan of May [final]",
        '["a" is the first letter]',
        "Warning: never deploy on Fridays",
        "Debug: I always use lldb instead of gdb",
        "Info: мы переехали в Осло",
        "Error: no such oven\n\nHow do I fix it?",
        "[2026-05-04] decided to use DuckDB",
        "Loading docks are in the north yard",
        "Processing loans has been my work since 2019",
        "Calling functions through pointers is slow in our code",
        "Tool call limits must stay below 50",
        "session started failing after the upgrade",
        "Our session was closed by the judge",
        "User memories are stored in Qdrant",
        "Perfect Day is the song",
        "是的，我住在柏林",
        "I see you've shared a note. How can I help?",
        "NO_REPLY is the token that our gateway swallows",
    ],
    "assistant": [
        "Got it, I'll keep that!",
        "Let me know when it lands",
        "I'll deploy the oven now",
        "Sure, what now",
        "Thanks for sharing! Your database is stage-2 and it expires in May.",
        "I'll look into it. The cause is the expired certificate.",
        "How can I help? Your deadline is Friday.",
        "Understood. What you need is a VACUUM of the table.",
        "I understand that the port is 7443.",
        "We fixed the login bug in this session",
        "in this session in this session",
        "Let me summarise: the port is 7443",
        "Now let me check the config: the port is 7443",
        "Let me look at oven.py; the limit there is 5",
        "I'll read the notes (the oven moved to the yard):",
        "Let me check the oven — it was at 180 degrees",
        "<observations> is the table's name",
    ],
}


def test_noise_is_refused_by_its_category() -> None:
    for role, groups in REFUSED.items():
        for category, bodies in groups.items():
            found = rule_ids(bodies, [{"role": role}] * len(bodies))
            given = {
                body: CATEGORIES.get(rule or "") for body, rule in zip(bodies, found, strict=True)
            }
            assert given == dict.fromkeys(bodies, category)


def test_what_only_looks_like_noise_is_kept() -> None:
    for role, bodies in KEPT.items():
        found = rule_ids(bodies, [{"role": role}] * len(bodies))
        assert dict(zip(bodies, found, strict=True)) == dict.fromkeys(bodies)


def test_a_stored_memory_may_open_like_a_log_or_hold_json() -> None:
    bodies = ["Warning: port 80 is blocked", "Loaded trailers go first", '{"oven": "on"}']
    fields = [{"event_kind": "memory", "role": None, "is_json": body[0] == "{"} for body in bodies]
    assert rule_ids(bodies, fields) == [None] * len(bodies)


def test_json_alone_is_a_dump() -> None:
    fields = [{"is_json": True, "role": role} for role in ("user", "assistant")]
    assert rule_ids(['{"rows": [1, 2]}', '[{"id": 1}]'], fields) == ["machine_json"] * 2


def test_a_long_reply_is_never_generic() -> None:
    opener = "I see you've shared a list. "
    bodies = [opener + "x" * (length - len(opener)) for length in (300, 301)]
    assert rule_ids(bodies, [{"role": "assistant"}] * 2) == ["generic_reply", None]


def rules_of(bodies: Sequence[str], **fields: object) -> list[str | None]:
    """The rule that refuses each body, after the ladder."""
    found = verdicts([{"content": body, **fields} for body in bodies])
    return [verdict["noise_rule"] for verdict in found]


def test_lifecycle_observations_are_refused_each_with_a_reason() -> None:
    """BR04."""
    bodies = [
        "HEARTBEAT_OK",
        "NO_REPLY",
        "User re-engaged with session after gap",
        "session started",
    ]
    for kind in ("turn", "observation"):
        rules = rules_of([*bodies, "We chose DuckDB because of MERGE"], event_kind=kind)
        assert None not in rules[:4]
        assert rules[4] is None


def test_a_heartbeat_that_carries_content_keeps_it() -> None:
    """BR05."""
    silent = ["HEARTBEAT_OK", " heartbeat_ok ", "**HEARTBEAT_OK**", "HEARTBEAT_OK!!! 🦞"]
    assert None not in rules_of(silent, role="assistant")
    (verdict,) = verdicts(
        [{"content": "HEARTBEAT_OK - disk is at 91 %, cleaned /tmp", "role": "assistant"}]
    )
    assert (verdict["noise_rule"], verdict["body"]) == (None, "disk is at 91 %, cleaned /tmp")


def test_recall_echoes_are_noise_in_turns_and_memories() -> None:
    """BR07."""
    quoted = "The user wants short answers"
    echoes = [
        f"Relevant memories:\n- {quoted}\n- The port is 7443",
        f"Relevant memories: {quoted}",
        f'Relevant memories: "{quoted}"',
    ]
    for kind in ("turn", "memory"):
        assert set(rules_of(echoes, event_kind=kind)) <= {"recall_echo", "recall_echo_memory"}
    boot = ["The assistant should read SOUL.md and greet the user"]
    assert rules_of(boot, event_kind="turn") == ["boot_file_restatement"]
    assert rules_of(boot, event_kind="memory") == [None]
    plain = ["Relevant memories: the port is 7443; we use DuckDB", quoted]
    assert rules_of(plain, event_kind="memory") == ["recall_echo_memory", None]


def test_an_injected_list_never_comes_back() -> None:
    """BR08."""
    heading = "Relevant context recalled from previous sessions:"
    once = f"{heading}\n- The oven is hot\n- The port is 7443\n\nplease fix the login test"
    twice = f"{heading}\n- {heading}\n  - The oven is hot\n- The port is 7443\n\n{once}"
    found = verdicts([{"content": once}, {"content": twice}])
    assert [verdict["body"] for verdict in found] == ["please fix the login test"] * 2
    assert found[0]["body_hash"] == found[1]["body_hash"]


def test_a_command_of_aiders_shell_is_no_statement() -> None:
    fields = {"source_system": "aider", "role": "user"}
    bodies = ["!ls -la | sort", "!", "! the oven is hot", "!!! the oven is hot"]
    assert rule_ids(bodies, [fields] * 4) == ["aider_command", "punctuation_only", None, None]
