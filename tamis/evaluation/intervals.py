"""Intervals by the bootstrap: conversations are drawn, then questions within each.

Questions about one conversation stand and fall together, so that to draw them alone would make the
intervals too narrow. The same draws serve every measure and every arm: arms are compared question
by question. There are few conversations, and what is drawn from few is rough all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
SEED = 20_260_301
LOWER, UPPER = 2.5, 97.5


@dataclass(frozen=True)
class Interval:
    """A mean, and the bounds that hold 95 % of its draws."""

    mean: float
    low: float
    high: float


class Draws:
    """How often every question stands in each of the draws."""

    def __init__(self, conversations: Sequence[str], draws: int = DRAWS, seed: int = SEED) -> None:
        """Draw once.

        Args:
            conversations: the conversation of every question.
            draws: how many times.
            seed: the same seed, the same draws.
        """
        chance = np.random.default_rng(seed)
        names = sorted(set(conversations))
        placed = [
            np.array([i for i, one in enumerate(conversations) if one == name], dtype=np.int64)
            for name in names
        ]
        self.weights = np.zeros((draws, len(conversations)), dtype=np.float32)
        for _ in names:
            chosen = chance.integers(len(names), size=draws)
            for number, places in enumerate(placed):
                rows = np.flatnonzero(chosen == number)
                even = np.full(len(places), 1 / len(places))
                drawn = chance.multinomial(len(places), even, size=len(rows))
                self.weights[np.ix_(rows, places)] += drawn.astype(np.float32)

    def means(self, values: Sequence[float]) -> NDArray[np.float64]:
        """The mean of every draw, over the questions that have a number."""
        listed = np.asarray(values, dtype=np.float64)
        told = ~np.isnan(listed)
        sums = self.weights @ np.where(told, listed, 0.0)
        counts = self.weights @ told.astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn: NDArray[np.float64] = np.asarray(sums / counts, dtype=np.float64)
        return drawn

    def interval(self, values: Sequence[float]) -> Interval:
        """The mean of the values, and its interval."""
        return bounded(mean_of(values), self.means(values))

    def difference(self, before: Sequence[float], after: Sequence[float]) -> Interval:
        """By how much the mean of after is above that of before, question by question."""
        drawn = self.means(after) - self.means(before)
        return bounded(mean_of(after) - mean_of(before), drawn)

    def ratio(self, whole: Sequence[float], part: Sequence[float]) -> Interval:
        """The mean of part as a share of that of whole, question by question."""
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = self.means(part) / self.means(whole)
        base = mean_of(whole)
        return bounded(mean_of(part) / base if base else float("nan"), drawn)


def mean_of(values: Sequence[float]) -> float:
    """The mean of the numbers among the values; not a number for none."""
    listed = np.asarray(values, dtype=np.float64)
    told = listed[~np.isnan(listed)]
    return float(told.mean()) if len(told) else float("nan")


def bounded(mean: float, drawn: NDArray[np.float64]) -> Interval:
    """A mean with the bounds of its draws."""
    told = drawn[np.isfinite(drawn)]
    if not len(told):
        return Interval(mean, float("nan"), float("nan"))
    low, high = np.percentile(told, [LOWER, UPPER])
    return Interval(mean, float(low), float(high))
