"""Two ways to make one score of what words and vectors say."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]

# mem0: from how many words on a raw BM25 score of so much is worth 0.5, and how steep it is there.
_SHARES = ((16, 12.0, 0.5), (10, 10.0, 0.5), (7, 9.0, 0.5), (4, 7.0, 0.6), (0, 5.0, 0.7))
_LINKS_WEIGHT = 0.5


def by_ranks(
    orders: Sequence[npt.NDArray[np.int64]], weights: Sequence[float], size: int, constant: float
) -> Numbers:
    """Reciprocal rank fusion: each list adds weight / (constant + rank) to what it holds.

    Args:
        orders: for each list the places that it ranks, best first.
        weights: one for each list.
        size: how many places there are.
        constant: how little the first ranks stand out.
    """
    scores = np.zeros(size)
    for order, weight in zip(orders, weights, strict=True):
        scores[order] += weight / (constant + 1 + np.arange(len(order)))
    return scores


def by_scores(
    meaning: Numbers, words: Numbers | None = None, links: Numbers | None = None, floor: float = 0.0
) -> Numbers:
    """As mem0 adds: the mean of the signals that are in use, each from 0 to 1.

    Args:
        meaning: cosines; who is below the floor gets no score (not a number), whatever else says.
        words: BM25 scores by ``bm25_share``; None where no word was found at all.
        links: what shared entities give, which weighs half; None where there are none.
        floor: the least cosine.
    """
    score, most = meaning.astype(float), 1.0
    if words is not None:
        score, most = score + words, most + 1
    if links is not None:
        score, most = score + links, most + _LINKS_WEIGHT
    return np.where(meaning >= floor, np.minimum(score / most, 1.0), np.nan)


def bm25_share(raw: Numbers, terms: int) -> Numbers:
    """A raw BM25 score between 0 and 1, by how many terms were asked for, as mem0 has it."""
    _, midpoint, steepness = next(row for row in _SHARES if terms >= row[0])
    return 1 / (1 + np.exp(-np.clip(steepness * (np.asarray(raw) - midpoint), -60, 60)))
