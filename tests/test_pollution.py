"""Polluted stores hold what they promise, the same every time, in the form of real captures."""

import csv
import random
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from landing_home import land_into, payloads

from tamis.evaluation.benchmark import CLEAN, plant
from tamis.evaluation.captures import Label, namespace_of, write_store
from tamis.evaluation.conversations import Conversation, GoldenSet, Turn
from tamis.evaluation.golden import Question
from tamis.evaluation.perturb import CHANGES, FAMILIES, near_copy, stale_twin
from tamis.evaluation.pollution import (
    HEAVIEST,
    KNOBS,
    TEMPLATES,
    Pollution,
    Store,
    levels,
    polluted,
    single_knobs,
)

BEGUN = datetime(2026, 3, 2, 9)
TURNS = tuple(
    Turn(
        f"D1:{number}",
        f"session-{number // 20}",
        "assistant" if number % 2 else "user",
        f"Ada: I fired {number} bowls in the kiln on Monday, and bowl {number} cracked.",
        BEGUN + number * timedelta(minutes=1),
    )
    for number in range(60)
)
TALK = Conversation("talk", TURNS)
EVIDENCE = {turn.turn_id for turn in TURNS}


def store(**knobs: object) -> Store:
    return polluted(TALK, Pollution("store", **knobs), EVIDENCE)


def kinds(found: Store) -> Counter[str]:
    return Counter(capture.kind for capture in found.captures)


@pytest.mark.parametrize("pollution", levels(), ids=lambda one: one.name)
def test_a_level_has_its_share_of_junk(pollution: Pollution) -> None:
    found = polluted(TALK, pollution, EVIDENCE)
    junk = sum(count for kind, count in kinds(found).items() if kind not in ("turn", "stale"))
    assert junk / (junk + len(TURNS)) == pytest.approx(pollution.junk, abs=0.03)
    assert found == polluted(TALK, pollution, EVIDENCE)
    assert {"exact", "near", "noise", "stale"} <= kinds(found).keys()


def test_knobs_turn_alone() -> None:
    alone = {one.name: polluted(TALK, one, EVIDENCE) for one in single_knobs()}
    assert list(alone) == list(KNOBS)
    assert kinds(alone["exact"]).keys() == {"turn", "exact", "invention", "loop"}
    assert kinds(alone["near"]).keys() == {"turn", "near"}
    assert kinds(alone["noise"]).keys() == {"turn", "noise"}
    assert kinds(alone["stale"]).keys() == {"turn", "stale"} and alone["stale"].updates
    assert kinds(alone["prefixes"]) == {"turn": 60}
    bare = {turn.text for turn in TURNS}
    for capture in alone["prefixes"].captures:
        assert capture.turn.text not in bare and capture.turn.text.endswith(capture.stands_for)


def test_without_a_knob_nothing_is_added() -> None:
    assert [capture.turn for capture in store().captures] == list(TURNS)


def test_few_texts_are_copied_many_times() -> None:
    found = store(junk=0.95, knobs=frozenset({"exact"}))
    counts = Counter(one.stands_for for one in found.captures if one.kind == "exact")
    most = [count for _, count in counts.most_common()]
    # A text that came up twice may be drawn to the full twice.
    assert 2 * HEAVIEST >= most[0] > 10 * most[len(most) // 2]
    inventions = {one.stands_for for one in found.captures if one.kind == "invention"}
    assert len(inventions) == 1 and inventions.isdisjoint(turn.text for turn in TURNS)


def test_junk_comes_later_than_what_was_said() -> None:
    for capture in store(junk=0.8, knobs=frozenset(KNOBS)).captures:
        assert (capture.turn.said_at > TURNS[-1].said_at) is (capture.kind != "turn")


def test_a_near_copy_is_no_turn_and_no_copy_of_another() -> None:
    found = store(junk=0.9, knobs=frozenset({"near"}))
    stands: dict[str, set[str]] = {}
    for capture in found.captures:
        stands.setdefault(capture.turn.text, set()).add(capture.stands_for)
        assert (capture.turn.text == capture.stands_for) is (capture.kind == "turn")
    assert {len(one) for one in stands.values()} == {1}


def test_every_small_change_changes_something() -> None:
    chance = random.Random(1)
    text = "Ada: I am glad, it is done."
    for change in CHANGES:
        assert change(text, chance) != text, change.__name__
    assert near_copy(text, chance) != text


@pytest.mark.parametrize(
    "text",
    ["I ran 5 km", "The audit is on Tuesday", "We met in March", "I have three cats", "I saw Oslo"],
)
def test_a_stale_twin_differs_in_one_word(text: str) -> None:
    for seed in range(20):
        twin = stale_twin(text, random.Random(seed))
        assert twin is not None
        changed = [
            (old, new) for old, new in zip(text.split(), twin.split(), strict=True) if old != new
        ]
        assert len(changed) == 1
        for family in FAMILIES:
            assert (changed[0][0] in family) is (changed[0][1] in family)
    assert stale_twin("nothing to change here", random.Random(1)) is None


def test_the_templates_of_the_halves_differ() -> None:
    with TEMPLATES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    halves = {
        half: {row["text"] for row in rows if row["half"] == half} for half in ("train", "held-out")
    }
    assert halves["train"].isdisjoint(halves["held-out"])
    kinds_of = {half: {row["kind"] for row in rows if row["half"] == half} for half in halves}
    assert kinds_of["train"] == kinds_of["held-out"]
    severe = levels()[-1]
    assert (severe.half, severe.junk) == ("held-out", 0.95)


def test_a_store_lands_as_captures_of_real_systems(tmp_path: Path) -> None:
    found = store(junk=0.5, knobs=frozenset(KNOBS))
    labels = write_store(tmp_path / "captures", "talk", found)
    report = land_into(tmp_path / "home", tmp_path / "captures")
    assert not report.skipped and not report.failed
    home = tmp_path / "home"
    assert len(payloads(home, "mem0__memories")) == 2 * len(found.updates)
    heads = sum('"type": "session"' in one for one in payloads(home, "openclaw__entries"))
    assert len(payloads(home, "openclaw__entries")) - heads == len(found.captures)
    assert len(labels) == len(found.captures) + 2 * len(found.updates)
    stale = [one for one in labels.values() if one.kind == "stale"]
    assert stale and all(one.replaced_by not in (None, one.stands_for) for one in stale)
    assert Label(TURNS[0].text, "turn") in labels.values()


def test_every_store_is_asked_the_same_questions(tmp_path: Path) -> None:
    asked = Question("Which bowl?", evidence=("D1:3", "D1:4"), conversation="talk")
    golden = GoldenSet("set", (TALK,), (asked,))
    clean, stale = plant(tmp_path, golden, [CLEAN, Pollution("stale", knobs=frozenset({"stale"}))])
    (of_clean,), (of_stale,) = clean.questions, stale.questions
    assert of_clean.expected == of_stale.expected == (TURNS[3].text, TURNS[4].text)
    assert of_clean.namespace == namespace_of("clean-talk") and not of_clean.forbidden
    twins = {one.stands_for: one.replaced_by for one in stale.labels.values() if one.replaced_by}
    assert {twins[text] for text in of_stale.forbidden} <= set(of_stale.expected)
