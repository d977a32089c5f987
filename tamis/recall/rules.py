"""Which of the ranked facts are worth telling: the rules of mem0's plugin for OpenClaw."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rules:
    """What is told of a ranked list. Where a value comes from stands behind it.

    Attributes:
        floor: the least relevance; a missing one counts as 0. mem0 0.4.0: 0.6 where nobody asked
            for memories, 0.5 where somebody did; its later versions: 0.1.
        share_of_best: what falls below this share of the best relevance is dropped, where more
            than one fact is left. mem0: 0.5, of the first result; here of the best one, since
            results don't always come in order.
        limit: the most facts. mem0: 5.
        least_characters: shorter prompts ask for nothing. mem0: 5.
        short_prompt: prompts with fewer characters are short. mem0: 100.
        broad_limit: the most facts that broad recall adds, 0 for none. mem0: 5.
        broad_needs_both: broad recall is for prompts that are short and open a session, as in
            mem0's later versions; else for those that are either, as 0.4.0 says of itself.
    """

    floor: float
    share_of_best: float = 0.5
    limit: int = 5
    least_characters: int = 5
    short_prompt: int = 100
    broad_limit: int = 5
    broad_needs_both: bool = False

    @property
    def looked_at(self) -> int:
        """How many ranked facts are looked at: twice those that are told, at least ten."""
        return max(2 * self.limit, 10)

    def is_broad(self, prompt: str, *, is_new_session: bool) -> bool:
        """Whether a prompt says so little that facts are wanted which it doesn't name."""
        is_short = len(prompt.encode("utf-16-le", "surrogatepass")) // 2 < self.short_prompt
        if not self.broad_limit:
            return False
        if self.broad_needs_both:
            return is_short and is_new_session
        return is_short or is_new_session

    def asks_nothing(self, prompt: str) -> bool:
        """Whether a prompt is too short to be searched for."""
        return len(prompt.strip()) < self.least_characters

    def kept(self, relevances: Sequence[float | None]) -> list[int]:
        """The places of a list that pass the floor and the cut, in their order, uncounted."""
        known = [relevance or 0.0 for relevance in relevances]
        places = [place for place, one in enumerate(known) if one >= self.floor]
        best = max((known[place] for place in places), default=0.0)
        if len(places) < 2 or best <= 0:
            return places
        return [place for place in places if known[place] >= self.share_of_best * best]


AUTOMATIC = Rules(floor=0.6)
"""Nobody asked: facts are put before an agent with each prompt."""

EXPLICIT = Rules(floor=0.5, limit=10, broad_limit=0)
"""Somebody asked for memories: a tool's search."""


@dataclass(frozen=True)
class Scale:
    """How a raw score becomes a relevance from 0 to 1: a logistic curve.

    Attributes:
        midpoint: the raw score whose relevance is 0.5.
        steepness: how fast the relevance grows there.
    """

    midpoint: float
    steepness: float

    def relevance(self, raw: float) -> float:
        """The relevance of a raw score."""
        height = self.steepness * (raw - self.midpoint)
        return 1 / (1 + math.exp(-max(min(height, 60.0), -60.0)))


def calibrate(raw: Sequence[float], is_right: Sequence[bool]) -> Scale:
    """The scale on which a relevance is the share of results with this score that are right.

    Args:
        raw: scores of results, of training questions only.
        is_right: whether each result is one that its question asks for.

    Raises:
        ValueError: where all results are right, or none is: nothing can be told apart.
    """
    right = np.asarray(is_right, dtype=float)
    if not 0 < right.sum() < len(right):
        raise ValueError("a scale needs results that are right and results that are not")
    columns = np.column_stack([np.ones(len(right)), np.asarray(raw, dtype=float)])
    weights = np.zeros(2)
    # Newton's steps, with a small weight on zero so that scores which part cleanly end as well.
    ridge = np.diag([1e-6, 1e-3])
    for _ in range(50):
        shares = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (right - shares) - ridge @ weights
        curve = (columns * (shares * (1 - shares))[:, np.newaxis]).T @ columns + ridge
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    if weights[1] <= 0:
        raise ValueError("the scores say nothing of what is right: they don't rise with it")
    return Scale(float(-weights[0] / weights[1]), float(weights[1]))
