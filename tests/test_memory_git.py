"""Memory Git: what a head shows, in which order, and that nothing is lost without a reason."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_git_histories import (
    PROJECT,
    changeset,
    operation,
    plain_projection,
    random_history,
    recursive_order,
)

from tamis.memory_git.context import MemoryContext, memory_context
from tamis.memory_git.history import HistoryError, history_of
from tamis.memory_git.ranking import query_tokens
from tamis.memory_git.records import (
    SHARED_MAIN,
    Changeset,
    LegacyEvent,
    Operation,
    RecordedConflict,
    Repository,
)

START = datetime(2026, 5, 1)
NAMES = ["evt-0", "evt-1", "evt-2", "bed", "pump", "seeds"]
TYPES = [
    "add_memory",
    "correct_memory",
    "supersede_memory",
    "mark_duplicate",
    "propose_deprecation",
    "attach_evidence",
    "attach_verification",
    "add_relationship",
    "an_operation_of_tomorrow",
]


def repository(changesets: Sequence[Changeset], head: str, **more: object) -> Repository:
    """A project whose shared ref stands at a head."""
    return replace(Repository(PROJECT, changesets, {SHARED_MAIN: head}), **more)


def events(count: int) -> list[LegacyEvent]:
    """Records of one minute each."""
    return [
        LegacyEvent(f"evt-{one}", "record", f"event {one}", START + timedelta(minutes=one))
        for one in range(count)
    ]


def contents(context: MemoryContext) -> list[str]:
    return [memory.content for memory in context.memories]


def accounted(context: MemoryContext, made: set[str]) -> set[str]:
    """The memories of which a context does not say what became of them."""
    shown = {memory.memory_id for memory in context.memories}
    return made - shown - set(context.exclusion_reasons) - set(context.blank_ids)


@st.composite
def operations(draw: st.DrawFn, changeset_id: str, ordinal: int) -> Operation:
    """Any operation on a few memories, sensible or not."""
    told = {
        "target": draw(st.sampled_from(NAMES)),
        "result": draw(st.sampled_from(["", *NAMES])),
        "content": draw(st.sampled_from(["", " ", "water at six", "water at seven"])),
    }
    return operation(changeset_id, ordinal, draw(st.sampled_from(TYPES)), **told)


@st.composite
def repositories(draw: st.DrawFn) -> Repository:
    """A project with a legacy root, a graph of changesets and some conflicts."""
    root = Changeset("c0", PROJECT, is_legacy_root=True, created_at=START + timedelta(minutes=1))
    changesets = [root]
    for number in range(1, draw(st.integers(2, 9))):
        earlier = st.sampled_from([one.changeset_id for one in changesets])
        parents = draw(st.lists(earlier, min_size=1, max_size=3, unique=True))
        count = draw(st.integers(0, 3))
        done = [draw(operations(f"c{number}", ordinal)) for ordinal in range(count)]
        changesets.append(Changeset(f"c{number}", PROJECT, parents, done))
    any_id = st.sampled_from([one.changeset_id for one in changesets])
    conflicts = [
        RecordedConflict(f"conflict-{one}", draw(any_id), draw(any_id), status)
        for one, status in enumerate(draw(st.lists(st.sampled_from(["open", "resolved"]))))
    ]
    return repository(changesets, draw(any_id), legacy_events=events(3), conflicts=conflicts)


@given(repositories())
def test_any_history_shows_what_a_plain_account_of_it_says(one: Repository) -> None:
    calm = replace(one, conflicts=())
    context = memory_context(calm, limit=100)
    head = one.refs[SHARED_MAIN]
    plain = plain_projection(calm, head)
    assert {
        memory.memory_id: (memory.content, memory.status, memory.order)
        for memory in context.memories
    } == {name: told for name, told in plain.items() if told[0].strip()}
    parents = {changeset.changeset_id: changeset.parent_ids for changeset in one.changesets}
    assert context.history == recursive_order(parents, head)


@given(repositories(), st.randoms(use_true_random=False), st.sampled_from(["", "water seven"]))
def test_the_order_in_which_rows_land_changes_nothing(
    one: Repository, order: random.Random, query: str
) -> None:
    def mixed(rows: Sequence[object]) -> list[object]:
        return order.sample(rows, len(rows))

    other = replace(
        one,
        changesets=mixed(one.changesets),
        legacy_events=mixed(one.legacy_events),
        conflicts=mixed(one.conflicts),
    )
    assert memory_context(other, query=query) == memory_context(one, query=query)


@given(repositories(), st.integers(1, 4))
def test_no_memory_disappears_without_a_reason(one: Repository, limit: int) -> None:
    context = memory_context(one, limit=limit)
    made = {"evt-0", "evt-1"} if "c0" in context.history else set()
    for changeset_id in context.history:
        for done in one.by_id[changeset_id].operations:
            if done.op_type in ("add_memory", "supersede_memory") and done.content:
                made.add(done.made_id)
    assert accounted(context, made) == set()


@given(repositories())
def test_an_older_head_of_a_ref_shows_what_the_ref_showed_then(one: Repository) -> None:
    for older in memory_context(one).history:
        then = repository(
            one.changesets, older, legacy_events=one.legacy_events, conflicts=one.conflicts
        )
        assert memory_context(one, head=older) == memory_context(then)


@pytest.mark.parametrize("count", [1, 25, 60, 120, 900])
def test_a_random_graph_is_read_in_the_order_of_a_recursion(count: int) -> None:
    changesets = random_history(count, seed=count)
    parents = {one.changeset_id: one.parent_ids for one in changesets}
    head = changesets[-1].changeset_id
    history = history_of(repository(changesets, head), head)
    assert [one.changeset_id for one in history] == recursive_order(parents, head)


def test_a_history_is_longer_than_python_can_recurse() -> None:
    chain = [changeset("c0"), *(changeset(f"c{one}", [f"c{one - 1}"]) for one in range(1, 5_000))]
    assert len(history_of(repository(chain, "c4999"), "c4999")) == 5_000


@pytest.mark.parametrize(
    ("changesets", "message"),
    [
        ([changeset("a", ["b"]), changeset("b", ["a"])], "cycle detected at a"),
        ([changeset("a", ["a"])], "cycle detected at a"),
        ([changeset("a", ["gone"])], "changeset not found: gone"),
        ([], "changeset not found: a"),
        (
            [changeset("a", ["b"]), replace(changeset("b"), project_id="kitchen")],
            "changeset b belongs to project kitchen, not to garden",
        ),
        (
            [changeset("a", ["b"]), replace(changeset("b"), is_altered=True)],
            "changeset b was altered after it was written",
        ),
    ],
)
def test_a_broken_history_is_refused_in_one_line(changesets: list[Changeset], message: str) -> None:
    with pytest.raises(HistoryError, match=f"^{message}$"):
        memory_context(repository(changesets, "a"))


def test_a_history_over_the_limit_is_refused_and_never_cut() -> None:
    chain = [changeset("c0"), *(changeset(f"c{one}", [f"c{one - 1}"]) for one in range(1, 21))]
    with pytest.raises(HistoryError, match="more than 20 changesets"):
        memory_context(repository(chain, "c20"), longest_history=20)
    assert len(memory_context(repository(chain, "c20"), longest_history=21).history) == 21


def test_a_branch_that_nobody_merged_is_not_what_the_shared_ref_accepted() -> None:
    water = ("add_memory", {"content": "water at six", "result": "bed"})
    wish = ("correct_memory", {"content": "water at noon", "target": "bed"})
    changesets = [changeset("main", [], water), changeset("wish", ["main"], wish)]
    one = replace(
        repository(changesets, "main"),
        refs={SHARED_MAIN: "main", "refs/agents/sower/main": "wish"},
    )
    assert contents(memory_context(one)) == ["water at six"]
    assert contents(memory_context(one, "refs/agents/sower/main")) == ["water at noon"]
    with pytest.raises(HistoryError, match=r"wish is not reachable from ref refs/shared/main"):
        memory_context(one, head="wish")
    with pytest.raises(HistoryError, match="memory ref not found"):
        memory_context(one, "refs/agents/nobody/main")


def test_a_frozen_baseline_counts_and_a_missing_one_is_made_again() -> None:
    root = Changeset("c0", PROJECT, is_legacy_root=True, created_at=START + timedelta(minutes=1))
    one = repository([root], "c0", legacy_events=events(3))
    assert contents(memory_context(one)) == ["event 1", "event 0"]
    frozen = replace(one, baselines={"c0": ["evt-0", "erased"]})
    assert contents(memory_context(frozen)) == ["event 0"]


def test_evidence_goes_along_to_what_a_correction_makes() -> None:
    done = changeset(
        "c0",
        [],
        ("add_memory", {"content": "water at six", "result": "bed", "tags": "soil, sun"}),
        ("attach_evidence", {"target": "bed", "summary": "seen in May"}),
        ("correct_memory", {"target": "bed", "result": "pump", "confidence": 1}),
        ("attach_verification", {"target": "bed", "summary": "too late"}),
    )
    (memory,) = memory_context(repository([done], "c0")).memories
    assert (memory.memory_id, memory.content, memory.tags) == (
        "pump",
        "water at six",
        ("soil", "sun"),
    )
    assert (len(memory.evidence), len(memory.verification), memory.confidence) == (1, 0, 1.0)


def test_a_memory_that_was_retired_and_added_again_is_shown_with_its_old_reason() -> None:
    done = changeset(
        "c0",
        [],
        ("add_memory", {"content": "water at six", "result": "bed"}),
        ("supersede_memory", {"target": "bed"}),
        ("add_memory", {"content": "water at noon", "result": "bed"}),
    )
    context = memory_context(repository([done], "c0"))
    assert contents(context) == ["water at noon"]
    assert context.exclusion_reasons == {"bed": "superseded at c0"}


@pytest.mark.parametrize(("limit", "count"), [(-1, 20), (0, 20), (7, 7), (100, 100), (500, 100)])
def test_a_limit_is_twenty_unless_given_and_never_over_a_hundred(limit: int, count: int) -> None:
    added = [("add_memory", {"content": f"memory {one}"}) for one in range(130)]
    context = memory_context(repository([changeset("c0", [], *added)], "c0"), limit=limit)
    assert (len(context.memories), context.total_active) == (count, 130)
    assert set(context.exclusion_reasons.values()) == {"outside selected context limit"}


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("ΟΔΟΣ", {"οδοσ"}),
        ("İstanbul", {"istanbul"}),
        ("e\u0301tat", {"tat"}),
        ("x² ½½ ⅷ", {"x²", "½½", "ⅷ"}),
        ("a\x00bcd \ud800", {"bcd"}),
    ],
)
def test_a_query_is_read_letter_by_letter(query: str, tokens: set[str]) -> None:
    assert query_tokens(query) == tokens
