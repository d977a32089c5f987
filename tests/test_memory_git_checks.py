"""Memory Git: operations that should never have been written, and branches that contradict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_git_histories import PROJECT, changeset, random_history

from tamis.memory_git.conflicts import conflicts_between
from tamis.memory_git.history import history_of
from tamis.memory_git.merges import silent_merges
from tamis.memory_git.projection import project
from tamis.memory_git.records import Changeset, LegacyEvent, RecordedConflict, Repository
from tamis.memory_git.validation import problems_of, states, without_broken_history

Done = tuple[str, Mapping[str, Any]]
WATER: Done = ("add_memory", {"content": "water at six", "result": "bed"})


def messages(*changesets: Changeset, **more: Any) -> list[str]:
    """What is wrong with a project of these changesets."""
    found = problems_of(replace(Repository(PROJECT, changesets), **more))
    return [f"{one.changeset_id}/{one.ordinal} {one.message}" for one in found]


def shape_messages(*operations: Done) -> list[str]:
    """What is wrong with operations on a memory `bed` that is there."""
    return messages(changeset("a", [], WATER), changeset("b", ["a"], *operations))


def test_sound_changesets_have_no_problem() -> None:
    assert (
        shape_messages(
            ("correct_memory", {"target": "bed", "content": "water at noon", "kind": "fact"}),
            ("add_memory", {"content": "the pump is new", "result": "pump", "confidence": 1}),
            ("add_relationship", {"target": "bed", "result": "pump", "kind": "needs"}),
            ("attach_verification", {"summary": "read", "reviewer": "kim"}),
            ("supersede_memory", {"target": "pump", "content": "the pump is old"}),
            ("correct_memory", {"target": "mem:b:4", "tags": ["water"]}),
        )
        == []
    )


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"kind": "hunch"}, "payload.kind is none of observation, fact, decision, task,"),
        ({"kind": None}, "payload.kind is none of observation"),
        ({"confidence": "high"}, "payload.confidence is no number from 0 to 1"),
        ({"confidence": True}, "payload.confidence is no number from 0 to 1"),
        ({"confidence": 1.01}, "payload.confidence is no number from 0 to 1"),
        ({"tags": "soil"}, "payload.tags is no list"),
        ({"tags": ["t"] * 65}, "payload.tags has more than 64 tags"),
        ({"tags": [""]}, "payload.tags holds what is no text"),
        ({"tags": ["ü" * 65]}, "payload.tags holds a tag of more than 128 bytes"),
        ({"scope": ""}, "payload.scope is no text"),
        ({"visibility": "everyone"}, "payload.visibility is none of private"),
        (
            {"target_trust": "user_approved", "source_trust": "inference"},
            "a model's guess can't replace what the user approved",
        ),
        ({"content": "ü" * 8193}, "payload.content exceeds 16384 bytes"),
        ({"fact_key": "k" * 1025}, "payload.fact_key exceeds 1024 bytes"),
        ({"mood": "good"}, "payload.mood is not supported"),
        ({"result": "r" * 1025}, "resulting_event_id exceeds 1024 bytes"),
    ],
)
@pytest.mark.parametrize("op_type", ["correct_memory", "supersede_memory"])
def test_what_replaces_a_memory_is_checked_like_what_adds_one(
    op_type: str, told: Mapping[str, Any], message: str
) -> None:
    (found, *_) = shape_messages((op_type, {"content": "water at noon", "target": "bed", **told}))
    assert found.startswith(f"b/0 {op_type}: {message}")


def test_nothing_replaces_itself() -> None:
    told = {"content": "water at noon", "target": "bed", "result": "bed"}
    assert shape_messages(("correct_memory", told), ("supersede_memory", told)) == [
        "b/0 correct_memory: resulting_event_id is its own target",
        "b/1 supersede_memory: a memory can't supersede itself",
    ]


def test_every_problem_of_a_changeset_is_reported() -> None:
    assert shape_messages(
        ("add_memory", {"kind": "hunch"}),
        ("forget_memory", {"target": "bed"}),
        ("attach_evidence", {"summary": "s"}),
        ("mark_duplicate", {"target": "bed"}),
    ) == [
        "b/0 add_memory: payload.content is no text, or an empty one",
        "b/0 add_memory: payload.kind is none of observation, fact, decision, task, flag, record",
        "b/1 forget_memory: unsupported type of operation",
        "b/2 attach_evidence: without a target, one of reviewer, proposal_id, source_changeset_id,"
        " rejected_from, cherrypicked_from, left_branch, right_branch is needed",
        "b/3 mark_duplicate: two memories are needed: duplicate, original",
    ]


def test_a_legacy_event_that_was_superseded_is_gone() -> None:
    moment = datetime(2026, 5, 1)
    root = Changeset("a", PROJECT, is_legacy_root=True, created_at=moment)
    events = [LegacyEvent(name, "record", "text", moment) for name in ("evt-1", "evt-2")]
    assert messages(
        root,
        changeset("b", ["a"], ("supersede_memory", {"target": "evt-1"})),
        changeset(
            "c",
            ["b"],
            *[
                ("propose_deprecation", {"target": one, "reason": "old"})
                for one in ("evt-1", "evt-2")
            ],
        ),
        legacy_events=events,
    ) == ["c/0 propose_deprecation: memory evt-1 is not active at the first parent"]


def test_what_a_merge_brings_in_is_there_after_it_and_not_before() -> None:
    pump = ("add_memory", {"content": "the pump is new", "result": "pump"})
    to_pump = ("attach_evidence", {"target": "pump", "summary": "seen"})
    assert messages(
        changeset("a", [], WATER),
        changeset("left", ["a"], ("correct_memory", {"target": "bed", "scope": "water"})),
        changeset("right", ["a"], pump, ("supersede_memory", {"target": "bed"})),
        changeset("merge", ["left", "right"], to_pump),
        changeset("next", ["merge"], to_pump, ("attach_evidence", {"target": "bed", "note": "x"})),
        changeset("other", ["left"], to_pump),
    ) == [
        "merge/0 attach_evidence: memory pump is not active at the first parent",
        "next/1 attach_evidence: memory bed is not active at the first parent",
        "other/0 attach_evidence: memory pump is not active at the first parent",
    ]


def test_a_broken_graph_is_told_where_it_breaks() -> None:
    assert messages(
        changeset("a", ["gone"]),
        changeset("b", ["a"], ("add_memory", {})),
        changeset("c", ["d"]),
        changeset("d", ["c"]),
        changeset("e", ["c"], ("supersede_memory", {"target": "nobody knows"})),
        replace(changeset("f"), is_altered=True),
        changeset("foreign", project_id="kitchen"),
        changeset("g", ["foreign"]),
    ) == [
        "a/None changeset not found: gone",
        "b/0 add_memory: payload.content is no text, or an empty one",
        "c/None it is its own ancestor",
        "d/None it is its own ancestor",
        "f/None changeset f was altered after it was written",
        "g/None changeset foreign belongs to project kitchen, not to garden",
    ]


@given(st.integers(0, 10**6), st.integers(1, 40))
def test_the_walk_knows_what_is_active_at_every_first_parent(seed: int, count: int) -> None:
    one = Repository(PROJECT, random_history(count, seed))
    for step, active in states(one, without_broken_history(one.by_id)):
        parent = next(iter(step.parent_ids), None)
        memories = project(one, history_of(one, parent)).memories if parent else {}
        assert active.ids == {name for name, memory in memories.items() if memory.is_active}


def decision(content: str, **told: Any) -> Done:
    return ("add_memory", {"kind": "decision", "scope": "water", "content": content, **told})


def types(
    left: Sequence[Done], right: Sequence[Done], past: Sequence[Done] = (), **more: Any
) -> list[str]:
    """The conflicts between two branches of one changeset."""
    changesets = [
        Changeset("root", PROJECT, is_legacy_root=True, created_at=datetime(2026, 5, 1)),
        changeset("base", ["root"], *past),
        changeset("left", ["base"], *left),
        changeset("right", ["base"], *right),
    ]
    one = replace(Repository(PROJECT, changesets), **more)
    return [one.conflict_type for one in conflicts_between(one, "base", "left", "right")]


def test_one_memory_with_two_new_texts_is_a_conflict_and_with_one_is_not() -> None:
    past = [decision("at six", result="bed")]
    noon = [("correct_memory", {"target": "bed", "content": "at noon"})]
    eight = [("correct_memory", {"target": "bed", "content": "at eight"})]
    tagged = [("correct_memory", {"target": "bed", "tags": ["sun"]})]
    replaced = [("supersede_memory", {"target": "bed", **decision("at one")[1]})]
    assert types(noon, eight, past) == ["contradictory_decision"]
    assert types(noon, replaced, past) == ["contradictory_decision"]
    assert types(noon, noon, past) == ["duplicate_content"]
    for harmless in (tagged, []):
        assert types(noon, harmless, past) == []
        assert types(harmless, noon, past) == []
        assert types(replaced, harmless, past) == []
        assert types(harmless, tagged, past) == []


def test_a_branch_contradicts_a_past_that_it_does_not_replace() -> None:
    past = [decision("at six", result="bed")]
    assert types([decision("at noon")], [], past) == ["contradictory_decision"]
    assert types([], [decision(" at six ")], past) == ["duplicate_content"]
    assert types([], [decision("at noon", protected=True)], past) == ["protected_decision"]


def test_what_two_branches_make_of_one_legacy_event_is_compared() -> None:
    events = [LegacyEvent("evt-1", "record", "Decision: at six", datetime(2026, 4, 1))]
    noon = [("correct_memory", {"target": "evt-1", "content": "Decision: at noon"})]
    eight = [("correct_memory", {"target": "evt-1", "content": "Decision: at eight"})]
    assert types(noon, eight, legacy_events=events) == ["contradictory_decision"]
    assert types(noon, [], legacy_events=events) == []


@pytest.mark.parametrize(
    ("valid_to", "valid_from", "found"),
    [
        ("2026-07-01T10:00:00+02:00", "2026-07-01T09:00:00Z", []),
        ("2026-07-01T08:00:00-05:00", "2026-07-01T09:00:00Z", ["incompatible_fact"]),
        ("2026-07-01 09:00", "2026-07-01T09:00:00.000Z", ["incompatible_fact"]),
        ("2026-06-30", "2026-07-01T00:00:00Z", []),
        ("soon", "2026-07-01T00:00:00Z", ["incompatible_fact"]),
        (None, "2026-07-01T00:00:00Z", ["incompatible_fact"]),
    ],
)
def test_periods_are_compared_as_times(
    valid_to: str | None, valid_from: str, found: list[str]
) -> None:
    fact = {"kind": "fact", "fact_key": "hour"}
    left = [("add_memory", {**fact, "content": "six", "valid_to": valid_to})]
    right = [("add_memory", {**fact, "content": "noon", "valid_from": valid_from})]
    assert types(left, right) == found


def test_what_an_operation_says_of_itself_is_checked_on_both_branches() -> None:
    left = [("add_memory", {"content": "a", "project_id": "kitchen", "topic_id": "soil"})]
    right = [
        ("add_memory", {"content": "b", "from_visibility": "private", "to_visibility": "public"}),
        (
            "correct_memory",
            {"target": "x", "target_trust": "user_approved", "source_trust": "inference"},
        ),
    ]
    assert types(left, right) == ["boundary_violation", "scope_flow", "trust_downgrade"]


def test_heads_that_do_not_descend_from_the_base_say_so() -> None:
    one = Repository(PROJECT, [changeset("a"), changeset("b", ["a"]), changeset("c", ["a"])])
    assert [found.conflict_type for found in conflicts_between(one, "b", "b", "c")] == [
        "stale_base"
    ]
    assert conflicts_between(one, "a", "b", "c") == []


def rewritten(content: str) -> Done:
    return ("correct_memory", {"target": "bed", "content": content})


FORK = [
    changeset("a", [], decision("at six", result="bed")),
    changeset("left", ["a"], rewritten("at noon")),
    changeset("right", ["a"], rewritten("at eight")),
]


def silent(*changesets: Changeset, **more: Any) -> list[tuple[str, str, str]]:
    """The merges on the way to the last changeset that chose in silence, with both writers."""
    one = replace(Repository(PROJECT, changesets), **more)
    history = history_of(one, changesets[-1].changeset_id)
    return [
        (found.conflicts[0].changeset_id, found.left, found.right)
        for found in silent_merges(one, history)
    ]


def test_a_merge_that_chose_between_two_texts_in_silence_is_found() -> None:
    merge = changeset("merge", ["left", "right"])
    later = changeset("later", ["merge"], rewritten("at one"))
    assert silent(*FORK, merge, later) == [("merge", "left", "right")]
    settled = changeset("merge", ["left", "right"], rewritten("at one"))
    assert silent(*FORK, settled) == []
    recorded = [RecordedConflict("c", "right", "left", "resolved")]
    assert silent(*FORK, merge, conflicts=recorded) == []


def test_a_branch_that_knew_the_other_text_did_not_choose_in_silence() -> None:
    informed = changeset("right", ["left"], rewritten("at eight"))
    more = changeset("more", ["left"])
    assert silent(*FORK[:2], informed, more, changeset("merge", ["more", "right"])) == []
    # It left from a branch that was merged before, and knew what that one said.
    beside = changeset("beside", ["right"], rewritten("at one"))
    first = changeset("first", ["a"])
    merged = changeset("merged", ["first", "right"])
    assert (
        silent(FORK[0], FORK[2], first, merged, beside, changeset("m", ["merged", "beside"])) == []
    )


def test_a_branch_that_says_the_same_did_not_disagree() -> None:
    same = changeset("right", ["a"], rewritten("at noon"))
    assert silent(*FORK[:2], same, changeset("merge", ["left", "right"])) == []
