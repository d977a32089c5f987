"""The whole ladder, as its model climbs it: whose words are left of a wrapped text."""

import functools
from collections.abc import Sequence

import duckdb
from test_macros import EXTERNAL, FENCE, MACRO_FOLDER, RECALLED, over, rendered

MODEL = MACRO_FOLDER.parent / "models" / "intermediate" / "int_events_normalized.sql"
LOG = "System: [2026-05-04 09:00:00 UTC]"
AUDIT = f"{LOG} ⚠️ Post-Compaction Audit: PLAN.md was not read.\nRead it after memory compaction."
IMAGE = (
    "To send an image back, prefer the message tool (media/path). Or inline MEDIA:./a.png.\n"
    "Keep caption in the text body."
)
CALL = (
    '[Historical context: a different model called tool "read" with arguments: {\n  "path": "[a]"\n'
    "}. Do not mimic this format - use proper function calling.]"
)
COMMAND = (
    "<command-message>tidy is running…</command-message>\n<command-name>/tidy</command-name>\n"
)
ENDED = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"
FOLDER = "<environment_context>\n  <cwd>/srv/app</cwd>\n</environment_context>"
EDITOR = (
    "# Context from my IDE setup:\n\n## Open tabs:\n- a.md: docs/a.md\n\n## My request for Codex:\n"
)
RULES = "# AGENTS.md instructions for /srv/app\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
RESTART = 'GatewayRestart:\n{\n  "kind": "apply",\n  "stats": {\n    "mode": "patch"\n  }\n}'
ABORTED = (
    "Note: The previous agent run was aborted by the user. Resume carefully or ask for"
    " clarification."
)
CONVERSATION = (
    'Conversation info (untrusted metadata):\n```json\n{"message_id": "1", "sender": "u"}\n```'
)
MUST = "You **MUST** consider the user input before proceeding (if not empty)."
MEDIA = "[media attached: /srv/a.jpg (image/jpeg) | /srv/a.jpg]"
QUEUE = "[Queued messages while agent was busy]"

# What a user's text holds, and the words in it that are the user's.
WRAPPED = [
    ("[hm session:a src:x event:stop project:a/b:c ws:é] port", "port"),
    ("[mind-rawturn conv:k turn:0 speaker:user]\nport", "port"),
    ("[Harvest:chat] Ports\n\nport", "Ports\n\nport"),
    ("[Telegram user_1] port", "port"),
    (f"Conversation info (untrusted metadata):\n{FENCE}\n[Mon 2026-05-04 09:00 PDT] port", "port"),
    ('Sender(untrusted metadata): ```json{"id":1}``` port', "port"),
    (f"port\n\n{EXTERNAL}", "port"),
    (f"{AUDIT}\nport", "port"),
    (f"port\n\n{AUDIT}", "port"),
    (f"{MEDIA}\n{IMAGE}\nport", "port"),
    (f"{MEDIA} {MEDIA} port", "port"),
    (f"see\n{MEDIA}\nport {MEDIA}", "see\nport"),
    (f"{QUEUE}\n\n---\nQueued #1\n[Slack Al] port\n\n---\nQueued #2 (from Al)\ntwo", "port\n\ntwo"),
    (f"{LOG} Cron: HEARTBEAT_OK\n\nport", "port"),
    (
        f"{LOG} Exec done\nSystem (untrusted): [2026-05-04 09:01] Node: on\n\nport\n\ntwo",
        "port\n\ntwo",
    ),
    ("Cron: HEARTBEAT_OK\n\nport", "port"),
    (f"{RESTART}\n\nport", "port"),
    (f"{ABORTED}\n\nport", "port"),
    (f"{ABORTED}\n\n{CONVERSATION}\n\nport", "port"),
    (f"{FOLDER}\n\nport", "port"),
    (f"port\n{FOLDER}", "port"),
    (f"{RULES}\n\n{FOLDER}\nport", "port"),
    (f"{EDITOR}port", "port"),
    (
        f"\n## User Input\n\n```text\nport\n\n```x```\n```\n\n{MUST}\n\n## Outline",
        "port\n\n```x```",
    ),
    (f"{COMMAND}<command-args>port <b>x</b></command-args>", "port <b>x</b>"),
    ("<command-args>port</command-args>\n" + COMMAND, "port"),
    (f"{COMMAND}<command-args></command-args>\nport", "port"),
    ("<local-command-stdout>ok</local-command-stdout>\nport", "port"),
    ("<ide_selection>\n<p>a</p>\n</ide_selection>\nwhat is it?", "what is it?"),
    ("what is it?\n<ide_opened_file>a.py</ide_opened_file>", "what is it?"),
    (f"{ENDED}\nport\n{ENDED}\ntwo\n{ENDED}", "port\ntwo"),
    ("<task-notification>a</task-notification> hi <task-notification>b</task-notification>", "hi"),
    ("## Context\n\nLook at the diff.\n\n\nARGUMENTS: port\ntwo", "port\ntwo"),
    ("/copy-context port", "port"),
    ("<recalled-memories>\na\n</recalled-memories>\nport", "port"),
    ("<SYSTEM_Instruction>a</SYSTEM_Instruction>port", "port"),
    ("port\n<persisted-output>\na", "port"),
    ("<private>a<private>b</private>[hm src:x]</private>port", "port"),
    ("[hm src:x] <private>a", ""),
    (f"<think>a</think>[Slack Al] {RECALLED}\n- A\n\n[hm src:x] <private>b</private>port", "port"),
    ("a<private>x</private>b<private>y</private>c", "a b c"),
    ("<<private>a</private>private>b</private>", "< private>b</private>"),
]
# What a user may write that looks like a wrapper; and wrappers around nothing, which rules refuse.
OWN_WORDS = [
    "[TODO] call Anna [urgent]",
    "The agent: Bob is nice",
    "my run: 5km today",
    "Session key: abc",
    "session_id: agent:main:main then go",
    "Current message: this is what I want to say",
    "Wrap it in `<private>` tags\nand in <private> tags",
    "<private> is the tag that hides a text",
    'Here is config\n```json\n{"port": 8080}\n```\nuse it',
    "list\n```json\n[1,2]\n```\nend",
    "run\n```log\nx failed\n```\nend",
    "```\n<private>\n```",
    'Sender (untrusted metadata): please ignore\n```json\n{"x": 1}\n```\nport',
    "I got a notification (untrusted, from chrome) about it",
    "Room (id: xyz) fact",
    "Delivery: on Monday",
    "System: the port moved",
    "System: [2026-05-04 09:00:00 UTC] Exec completed",
    f"{LOG} Cron: x\n\ny\n\nA scheduled reminder has been triggered. It is:\n\ny",
    f"{LOG} [Post-compaction context refresh] The session.\n\nRead PLAN.md",
    "HEARTBEAT_OK is the token\n\nof a heartbeat",
    "set the answer to NO_REPLY",
    "Add [[reply_to_current]] where an answer goes",
    "[Queued messages] are the problem",
    f"{QUEUE} what does [this] mean, or [that]",
    "[Signal processing] is my field",
    "[media attached] is what it writes",
    "The audit said: Post-Compaction Audit: fine",
    "To send an image back, prefer the message tool",
    "<task-notification> blocks should go to the side panel",
    "<command-name> is a tag and </command-name> closes it",
    "hi <task-notification>x</task-notification>",
    "# Usage\n\nARGUMENTS: none\n\nport",
    "/copy-context",
    "## User Input\n\nis the head of a form",
    "# Context from my IDE setup:\n\nnone",
    f"{COMMAND}<command-args></command-args>",
    ENDED,
    FOLDER,
    RULES,
    AUDIT,
    MEDIA,
    "the <b>port</b> is 1 < 2 > 0",
    "port [hm src:x] two",
]


@functools.cache
def statement() -> str:
    return rendered(MODEL.read_text(encoding="utf-8"))


def climbed(texts: Sequence[str], role: str = "user") -> list[tuple[str, list[str]]]:
    """The body and the steps that the model gives each text."""
    engine = duckdb.connect()
    engine.execute(
        "create table int_events_unioned as select number as event_id, number as record_id,"
        " $role as role, text as content from"
        " (select unnest($texts::varchar[]) as text, unnest(range(len($texts))) as number)",
        {"role": role, "texts": list(texts)},
    )
    found = engine.execute(f"select body, steps from ({statement()}) order by event_id").fetchall()
    return [(body, steps) for body, steps in found]


def bodies(texts: Sequence[str], role: str = "user") -> list[str]:
    return [body for body, _ in climbed(texts, role)]


def test_a_users_words_are_what_is_left() -> None:
    answers = bodies([text for text, _ in WRAPPED])
    wrong = [(t, a, w) for (t, w), a in zip(WRAPPED, answers, strict=True) if a != w]
    assert wrong == []


def test_what_only_looks_like_a_wrapper_stays() -> None:
    answers = climbed(OWN_WORDS)
    assert [body for body, _ in answers] == OWN_WORDS
    assert [steps for _, steps in answers] == [[]] * len(OWN_WORDS)


def test_what_clients_write_in_a_users_name_is_an_agents_own_word() -> None:
    texts = [f"{FOLDER}\n\nport", f"{COMMAND}<command-args>port</command-args>", "/copy-context x"]
    assert bodies(texts, "assistant") == texts


def test_an_agent_mimics_no_call_of_another_model() -> None:
    assert bodies([f"**Reading**{CALL}", CALL], "assistant") == ["**Reading**", ""]


def test_words_in_a_machines_frame_are_a_turn() -> None:
    machine = [f"{COMMAND}<command-args></command-args>", ENDED, FOLDER, RULES, AUDIT]
    framed = [text for text, words in WRAPPED if words and "\n## User" not in text]
    assert over("kind_of_wrapped('text')", framed) == [None] * len(framed)
    assert None not in over("kind_of_wrapped('text')", [*machine, f"{ENDED}\n{ENDED}"])


def test_one_expression_climbs_as_the_models_queries_do() -> None:
    texts = [*(text for text, _ in WRAPPED), *OWN_WORDS]
    assert over("ladder('text', \"'user'\")", texts) == bodies(texts)
