"""Who speaks and where: sessions never disturb each other, and real folders give their projects."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendered_models import keyed, row_wise_models
from test_macros import over

from tamis.explain import Explainer
from tamis.home import Settings
from tamis.session_keys import is_non_interactive, named_agent

ROOT = "/srv/root"
WORDS = st.sampled_from(
    [
        *("agent", "AGENT", "main", "Main", "Scout", "cron", "subagent", "heartbeat", "hook"),
        *("direct", "dm", "group", "channel", "room", "topic", "thread", "telegram", "schedule"),
        *("automation", "memory_flush", "memory-flush", "acp", "explicit", "node-1", "", " ", "5"),
        *("\u00a0", "외주", "a%3Ab"),
    ]
)
KEYS = st.lists(WORDS, max_size=6).map(":".join)
TRIGGERS = st.sampled_from(
    [None, "", "cron", " Cron ", "HEARTBEAT", "Memory flush", "webhook", "user", "subagent"]
)
NAMES = st.text(":%aA 3", max_size=6)
LINES = st.fixed_dictionaries(
    {
        "content": st.sampled_from(["Use port 7443", "thanks", "[cron:1 x] Check the mail", ""]),
        "role": st.sampled_from(["user", "assistant"]),
        "session_key": st.none() | KEYS,
        "trigger_kind": TRIGGERS,
        "agent_id": st.sampled_from([None, "", "Scout", "main", "subagent-7"]),
        "user_id": st.sampled_from(["user1", "user1:agent:scout", "user1%3Aagent"]),
        "cwd": st.sampled_from([None, "/srv/work/app", "/tmp/x", "C:\\work\\app", "~"]),
        "metadata": st.sampled_from([{}, {"is_subagent": True}, {"project_name": "/srv/a/b"}]),
    }
).map(json.dumps)


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return Explainer(row_wise_models(), Settings())


@settings(max_examples=40, deadline=None)
@given(
    first=st.lists(LINES, min_size=1, max_size=4),
    second=st.lists(LINES, max_size=4),
    data=st.data(),
)
def test_sessions_that_are_interleaved_in_any_order_give_what_each_gives_alone(
    explainer: Explainer, first: list[str], second: list[str], data: st.DataObject
) -> None:
    sessions = [explainer.explain(first), explainer.explain(second)]
    alone = dict(zip([*first, *second], [*sessions[0], *sessions[1]], strict=True))
    mixed = data.draw(st.permutations([*first, *second]))
    cut = data.draw(st.integers(0, len(mixed)))
    together = explainer.explain(mixed[:cut]) + explainer.explain(mixed[cut:])
    assert together == [alone[line] for line in mixed]


@settings(max_examples=8, deadline=None)
@given(keys=st.lists(KEYS, min_size=60, max_size=200))
def test_a_question_reads_a_session_key_as_curation_does(keys: list[str]) -> None:
    found = keyed([{"session_key": key} for key in keys])
    assert [(not answer["is_interactive"], answer["agent_id"]) for answer in found] == [
        (is_non_interactive(None, key), named_agent(key)) for key in keys
    ]


def test_a_question_reads_a_trigger_as_curation_does() -> None:
    names = ["cron", " Cron\t", "Memory flush", "memory--flush", "webhook", "HOOK", "", "subagent"]
    assert over("is_machine_trigger('text')", names) == [
        is_non_interactive(name, None) for name in names
    ]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES), min_size=60, max_size=200))
def test_no_two_owners_share_a_namespace(owners: list[tuple[str, str]]) -> None:
    named = [(user, agent.strip().lower()) for user, agent in owners]
    found = keyed([{"user_id": user, "agent_id": agent} for user, agent in owners])
    by_owner = dict(zip(named, (answer["namespace"] for answer in found), strict=True))
    assert len(set(by_owner.values())) == len(by_owner)
