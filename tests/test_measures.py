"""The measures equal what is computed by hand, and intervals do what they promise."""

import math
from typing import Any

import numpy as np
import pytest

from tamis.evaluation.intervals import Draws
from tamis.evaluation.measures import (
    Ranked,
    means,
    noise_share,
    own_measures,
    slot_waste,
    stale_above_fresh,
    stale_in_sight,
    standard_measures,
    tokens_to_evidence,
)


def ranked(names: str, noise: str = "") -> list[Ranked]:
    """A list of one letter a document, those of `noise` known to say nothing."""
    return [Ranked(name, name in noise, None, 10) for name in names]


@pytest.mark.parametrize(
    ("names", "answers", "expected"),
    [
        ("a", "a", {"recall_at_5": 1, "ndcg_at_10": 1, "reciprocal_rank": 1, "hit_at_10": 1}),
        # 1 / log2(3)
        ("xa", "a", {"ndcg_at_10": 0.6309297536, "reciprocal_rank": 0.5, "precision_at_5": 0.2}),
        # (1 + 1/2) / (1 + 1/log2(3))
        ("axb", "ab", {"recall_at_5": 1, "ndcg_at_10": 0.9197207891, "precision_at_5": 0.4}),
        # the copy in slot two gains nothing, and pushes b down as x did
        ("aab", "ab", {"ndcg_at_10": 0.9197207891, "precision_at_10": 0.2, "recall_at_5": 1}),
        ("aaaaab", "ab", {"recall_at_5": 0.5, "recall_at_10": 1, "hit_at_10": 1}),
        # a at rank 11: 1/11, in no list of ten
        ("xxxxxxxxxxa", "a", {"recall_at_10": 0, "recall_at_20": 1, "hit_at_10": 0}),
        ("xxxxxxxxxxa", "a", {"reciprocal_rank": 1 / 11, "ndcg_at_10": 0}),
        ("", "a", {"recall_at_20": 0, "ndcg_at_10": 0, "reciprocal_rank": 0}),
        ("ab", "abc", {"recall_at_10": 2 / 3, "precision_at_5": 0.4}),
        # (1 + 1/log2(3)) / (1 + 1/log2(3) + 1/2)
        ("ab", "abc", {"ndcg_at_10": 0.7653606369}),
    ],
)
def test_the_standard_measures_are_those_computed_by_hand(
    names: str, answers: str, expected: dict[str, float]
) -> None:
    (found,) = standard_measures([ranked(names)], [list(answers)])
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-6)


def test_every_list_is_measured_by_itself() -> None:
    found = standard_measures([ranked("xa"), ranked(""), ranked("b")], ["a", "a", "b"])
    assert [row["reciprocal_rank"] for row in found] == [0.5, 0.0, 1.0]
    assert standard_measures([], []) == []
    with pytest.raises(ValueError, match="at least one answer"):
        standard_measures([ranked("a")], [[]])


@pytest.mark.parametrize(
    ("names", "noise", "waste", "noisy"),
    [
        ("abcd", "", 0.0, 0.0),
        ("abbb", "", 0.5, 0.0),
        ("anbc", "n", 0.25, 0.25),
        # noise that repeats is still one wasted slot each
        ("nn", "n", 1.0, 1.0),
        # a refused copy of the answer tells the reader the answer, once
        ("aa", "a", 0.5, 0.0),
        ("", "", 0.0, 0.0),
        ("bcdefghijkk", "", 0.0, 0.0),
    ],
)
def test_slots_that_tell_nothing_are_counted(
    names: str, noise: str, waste: float, noisy: float
) -> None:
    assert slot_waste(ranked(names, noise), ["a"]) == waste
    assert noise_share(ranked(names, noise), ["a"]) == noisy


def test_a_stale_text_is_compared_with_what_replaced_it() -> None:
    old = Ranked("old", fresh="new")
    fresh, other = Ranked("new"), Ranked("other")

    def above(*hits: Ranked, answers: tuple[str, ...] = ("new", "other")) -> float:
        return stale_above_fresh(hits, answers, ["old"])

    assert above(old, fresh) == 1.0
    assert above(fresh, old) == 0.0
    assert above(other, old, fresh) == 1.0
    assert above(old) == 1.0
    assert above(fresh, other) == 0.0
    # without a known successor the best of the answers counts
    assert above(other, Ranked("old"), fresh) == 0.0
    assert math.isnan(stale_above_fresh([old], ["new"], []))
    assert stale_in_sight([fresh, old], ["old"]) == 1.0
    assert stale_in_sight([fresh] * 10 + [old], ["old"]) == 0.0
    assert math.isnan(stale_in_sight([old], []))


def test_reading_ends_at_the_first_answer() -> None:
    assert tokens_to_evidence(ranked("xab"), "ab") == 20
    assert tokens_to_evidence(ranked("xyz"), "a") == 30
    assert tokens_to_evidence([], "a") == 0
    assert own_measures(ranked("a"), "a", [])["tokens_to_evidence"] == 10


def test_means_leave_out_what_is_no_number() -> None:
    rows: list[dict[str, float]] = [{"m": 1.0}, {"m": math.nan}, {"m": 0.5}]
    assert means(rows, "m") == 0.75
    assert math.isnan(means([{"m": math.nan}], "m"))


def test_the_same_seed_draws_the_same_interval() -> None:
    values = [0.0, 1.0, 1.0, 0.0, 1.0]
    found = [Draws(["a", "a", "b", "b", "b"], 500).interval(values) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].low < found[0].mean == 0.6 < found[0].high


def test_every_draw_holds_questions_of_whole_conversations() -> None:
    draws = Draws(["a", "a", "b"], 200)
    counts = {tuple(row) for row in np.stack([draws.weights[:, :2].sum(1), draws.weights[:, 2]], 1)}
    # two conversations are drawn: a's two questions come 0, 2 or 4 times, b's one 2, 1 or 0 times
    assert counts == {(0.0, 2.0), (2.0, 1.0), (4.0, 0.0)}


def test_questions_that_stand_and_fall_together_make_intervals_wider() -> None:
    values = [1.0] * 40 + [0.0] * 40
    together = Draws(["a"] * 40 + ["b"] * 40, 2000).interval(values)
    apart = Draws([str(number) for number in range(80)], 2000).interval(values)
    assert (together.low, together.high) == (0.0, 1.0)
    assert 0.35 < apart.low < apart.high < 0.65


def test_arms_are_compared_question_by_question() -> None:
    before = [0.0, 0.5, 0.25, 0.75]
    draws = Draws(["a", "a", "b", "b"], 500)
    shifted = draws.difference(before, [value + 0.25 for value in before])
    assert (shifted.mean, shifted.low, shifted.high) == pytest.approx((0.25, 0.25, 0.25))
    half = draws.ratio([1.0, 0.5, 0.5, 1.0], [0.5, 0.25, 0.25, 0.5])
    assert (half.mean, half.low, half.high) == pytest.approx((0.5, 0.5, 0.5))


def test_what_no_question_tells_has_no_interval() -> None:
    found: Any = Draws(["a", "b"], 50).interval([math.nan, math.nan])
    assert math.isnan(found.mean) and math.isnan(found.low) and math.isnan(found.high)
    told = Draws(["a", "a"], 50).interval([math.nan, 0.5])
    assert (told.mean, told.low, told.high) == (0.5, 0.5, 0.5)
