"""BM25 over plain texts in any language."""

from collections.abc import Sequence
from dataclasses import dataclass

import bm25s
import numpy as np

from tamis.recall.tokens import tokenize

UNKNOWN_PROJECT = "unknown-project"


@dataclass(frozen=True)
class Index:
    """Texts that can be searched; ``bm25`` is None where no text has a token."""

    size: int
    bm25: bm25s.BM25 | None


def build_index(texts: Sequence[str]) -> Index:
    """Index texts by their position, with BM25 as Lucene computes it (k1 1.5, b 0.75)."""
    tokens = [tokenize(text) for text in texts]
    if not any(tokens):
        return Index(len(texts), None)
    bm25 = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    bm25.index(tokens, show_progress=False)
    return Index(len(texts), bm25)


def search(index: Index, query: str, limit: int) -> list[tuple[int, float]]:
    """Rank the texts that share a token with the query.

    Returns:
        (position, score) pairs, best first, at most ``limit``; equal scores stand in the order of
        their positions, so that the same store always gives the same answer.
    """
    tokens = tokenize(query)
    if index.bm25 is None or not tokens or limit < 1:
        return []
    scores = index.bm25.get_scores(tokens)
    hits = np.flatnonzero(scores > 0)
    ranked = hits[np.argsort(-scores[hits], kind="stable")][:limit]
    return [(int(position), float(scores[position])) for position in ranked]
