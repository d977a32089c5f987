"""Properties of the whole ladder: a fixed point, and the inverse of every encoder of a prefix."""

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from test_ladder import (
    AUDIT,
    CALL,
    COMMAND,
    EDITOR,
    ENDED,
    FOLDER,
    IMAGE,
    LOG,
    MEDIA,
    MUST,
    OWN_WORDS,
    QUEUE,
    RESTART,
    RULES,
    WRAPPED,
    bodies,
    climbed,
)
from test_macros import EXTERNAL, FENCE, RECALLED

# Each example is a batch of texts, since a query costs more than a text.
BATCH = 60
SLOWLY = settings(max_examples=20, deadline=None, phases=[Phase.generate])

# The wrappers of all captures, each around a text.
AROUND: list[Callable[[str], str]] = [
    *(
        lambda text, before=before: before + text
        for before in (
            *("[hm src:x] ", "[hm session:a:b/c src:é event:stop]\n\n", "[wiki-synth task:t] "),
            *(
                "[Telegram Al] ",
                "[Mon 2026-05-04 09:00 GMT+7] ",
                f"{LOG} Slack gateway connected\n",
            ),
            *(f"Sender (untrusted metadata):\n{FENCE}\n", "[message_id: 4]\n", f"{MEDIA}\n"),
            *("Delivery: use the `message` tool.\n\n", f"{RECALLED}\n- A\n\n", f"{AUDIT}\n"),
            *(f"{LOG} Exec done\n\n", "Cron: HEARTBEAT_OK\n\n", f"{RESTART}\n", f"{IMAGE}\n"),
            *(f"{FOLDER}\n", f"{RULES}\n", EDITOR, f"{ENDED}\n", "/copy-context ", COMMAND),
            *("<ide_selection>a</ide_selection>\n", "<private>a</private>", "<think>\n"),
            *("</private>", "<private>", "```\n", "[[reply_to_current]] ", "HEARTBEAT_OK ", CALL),
            *(f"{QUEUE}\n\n---\nQueued #1\n", "[", "<", "\n", " ", "[TODO] "),
        )
    ),
    *(
        lambda text, after=after: text + after
        for after in (
            *("\n[message_id: 4]", f"\n\n{EXTERNAL}", "</private>", "\n<private>x", " NO_REPLY"),
            *(f"\n{ENDED}", f"\n{FOLDER}", "\n```", f"\n{MEDIA}", "\n\n", "]", ">", "</think>"),
            *("\n\n---\nQueued #2\n", "\n\nARGUMENTS: two", " [hm src:x]"),
        )
    ),
    lambda text: f"<private>{text}</private>",
    lambda text: f"<PRIVATE>{text}</system-reminder>port",
    lambda text: f"{COMMAND}<command-args>{text}</command-args>",
    lambda text: f"## User Input\n\n```text\n{text}\n```\n\n{MUST}\n",
    lambda text: f"[hm {text}] port",
    lambda text: f"<task-notification>{text}</task-notification>",
]


def nested(draw: random.Random, depth: int) -> str:
    """Words of a user in some wrappers, which may be torn or in each other."""
    text = draw.choice([*OWN_WORDS, "port", "", "port\n\ntwo", draw.choice(WRAPPED)[0]])
    for _ in range(depth):
        text = draw.choice(AROUND)(text)
        if draw.random() < 0.1:
            text = f"{nested(draw, 1)}{draw.choice(['', ' ', chr(10)])}{text}"
        if draw.random() < 0.05:
            text = text[: draw.randrange(len(text) + 1)]
    return text


def unstable(texts: list[str], role: str) -> list[tuple[str, str, str]]:
    once = bodies(texts, role)
    return [
        (text, first, second)
        for text, first, second in zip(texts, once, bodies(once, role), strict=True)
        if first != second
    ]


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("seed", range(3))
def test_the_ladder_finds_nothing_more_in_its_own_answers(seed: int, role: str) -> None:
    draw = random.Random(seed)
    texts = [nested(draw, draw.randrange(1, 7)) for _ in range(1000)]
    assert unstable(texts, role)[:3] == []


@SLOWLY
@given(st.integers(), st.sampled_from(["user", "assistant"]))
def test_the_ladder_is_a_fixed_point_of_whatever_is_nested(seed: int, role: str) -> None:
    draw = random.Random(seed)
    assert unstable([nested(draw, draw.randrange(1, 9)) for _ in range(BATCH)], role) == []


# Words without the mark that stands where a block was, which nobody can type.
WORDS = st.one_of(
    st.sampled_from(OWN_WORDS),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x01"), min_size=1),
    st.text("ab 1[]<>`*:#-\n/é字😀", min_size=1, max_size=40),
)
VALUES = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="]"), min_size=1
)
NAMES = st.from_regex(
    r"\A(?:[A-Z][a-zé]{1,6}(?: [A-Z][a-z]{1,6})?|[a-z]{1,5}_[0-9]|\+[0-9]{4,9})\Z"
)
TIMES = st.from_regex(
    r"\A(?:(?:Mon|Sun) )?20[0-9]{2}-0[1-9]-[0-2][0-9](?:T[0-2][0-9]:[0-5][0-9]Z"
    r"| [0-2][0-9]:[0-5][0-9](?::[0-5][0-9])?(?: (?:PDT|EST|UTC|GMT|GMT[+-][0-9]{1,2}))?)\Z"
)
CHANNELS = st.sampled_from(
    [
        *("BlueBubbles", "Discord", "Google Chat", "iMessage", "Matrix", "Mattermost"),
        *("Microsoft Teams", "Nostr", "Signal", "Slack", "Telegram", "Tlon", "Twitch"),
        *("WebChat", "WhatsApp", "Zalo", "Zalo Personal"),
    ]
)
SENTINELS = st.sampled_from(
    [
        *("Conversation info (untrusted metadata)", "Sender (untrusted metadata)"),
        *("Thread starter (untrusted, for context)", "Replied message (untrusted, for context)"),
        "Reply target of current user message (untrusted, for context)",
        "Reply chain of current user message (untrusted, nearest first)",
        "Forwarded message context (untrusted metadata)",
        "Chat history since last reply (untrusted, for context)",
        "Location (untrusted metadata)",
    ]
)


@st.composite
def headers(draw: st.DrawFn) -> str:
    """What hive-mind's encoder and its hooks write: each token or none, in their order."""
    names = ["session", "parent", "src", "event", "project", "ws"]
    tokens = [f"{name}:{draw(VALUES)}" for name in names if name == "src" or draw(st.booleans())]
    return draw(
        st.sampled_from(
            [
                f"[hm {' '.join(tokens)}] ",
                f"[mind-rawturn conv:{draw(VALUES)} turn:0 speaker:user]\n",
                f"[wiki-synth task:{draw(VALUES)} kind:k] ",
            ]
        )
    )


@st.composite
def envelopes(draw: st.DrawFn) -> str:
    """What OpenClaw's channels write: who, where, how long since, when; or the time alone."""
    name, time = draw(NAMES), draw(TIMES)
    who = draw(
        st.sampled_from([name, f"{name} id:42", f"{name} #general", f"{name} mac 10.0.0.5", "room"])
    )
    elapsed = draw(st.sampled_from(["", " +5m", " +2h"]))
    return draw(
        st.sampled_from(
            [
                f"[{draw(CHANNELS)} {who}{elapsed} {time}] ",
                f"[{draw(CHANNELS)} {who}] ",
                f"[{time}] ",
            ]
        )
    )


@st.composite
def metadata(draw: st.DrawFn) -> str:
    """OpenClaw's sentinels with what is in their fences, one after the other."""
    texts = st.recursive(
        st.one_of(st.text(), st.integers(), st.booleans()),
        lambda inner: st.dictionaries(st.text(max_size=5), inner, max_size=3) | st.lists(inner),
        max_leaves=4,
    )
    blocks = st.lists(st.tuples(SENTINELS, texts.filter(lambda t: isinstance(t, dict | list))))
    return "".join(
        f"{sentinel}:\n```json\n{json.dumps(content, ensure_ascii=False, indent=2)}\n```\n\n"
        for sentinel, content in draw(blocks)
    )


@st.composite
def prefixes(draw: st.DrawFn) -> str:
    """Prefixes in the order in which their writers put them, each or none."""
    parts = [headers(), st.just("Delivery: use the `message` tool.\n\n"), metadata(), envelopes()]
    return "".join(draw(part) for part in parts if draw(st.booleans()))


PAIRS = st.lists(st.tuples(prefixes(), WORDS), min_size=1, max_size=BATCH)


@SLOWLY
@given(PAIRS)
def test_stripping_undoes_every_prefix_that_an_encoder_writes(pairs: list[tuple[str, str]]) -> None:
    alone = bodies([words for _, words in pairs])
    prefixed = bodies([prefix + words for prefix, words in pairs])
    wrong = [
        (prefix, words, answer)
        for (prefix, words), answer, want in zip(pairs, prefixed, alone, strict=True)
        if answer != want
    ]
    assert wrong == []


@SLOWLY
@given(st.lists(WORDS, min_size=1, max_size=BATCH))
def test_words_without_a_wrapper_are_only_trimmed(texts: list[str]) -> None:
    assert {step for _, steps in climbed(texts) for step in steps} <= {"trim"}
