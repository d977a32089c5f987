"""The ranking of `recall.index` for one query, without an index: what a store of texts answers.

An index is worth its price where many questions are asked of one store. For a single one it costs
seconds at 100,000 texts; here only the texts that hold a word of the query are split into words.
The scores are the same ones to the last bit, and so is the order (a test compares them).
"""

import re
from collections import Counter

import numpy as np
import polars as pl

from tamis.recall.words import tokenize

K1, B = 1.5, 0.75
_ASCII_WORD = "[A-Za-z0-9]+"


def search_once(texts: pl.Series, query: str, limit: int) -> list[tuple[int, float]]:
    """Rank the texts that share a token with the query, see `recall.index.search`.

    Returns:
        (position, score) pairs, best first, at most ``limit``; equal scores in the order of
        their positions.
    """
    tokens = tokenize(query)
    if not tokens or limit < 1 or texts.is_empty():
        return []
    counts, lengths = counted(texts, sorted(set(tokens)))
    if not lengths.any():
        return []
    scores = np.zeros(len(texts), dtype=np.float32)
    norms = K1 * ((1 - B) + B * lengths / lengths.mean())
    for token in tokens:
        held = counts[token]
        having = np.flatnonzero(held)
        if not having.size:
            continue
        rarity = np.float32(np.log(1 + (len(texts) - having.size + 0.5) / (having.size + 0.5)))
        often = held[having].astype(np.float64)
        scores[having] += (rarity * (often / (norms[having] + often))).astype(np.float32)
    hits = np.flatnonzero(scores > 0)
    ranked = hits[np.argsort(-scores[hits], kind="stable")][:limit]
    return [(int(position), float(scores[position])) for position in ranked]


def counted(texts: pl.Series, tokens: list[str]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """How often each token stands in each text, and how many tokens each text has.

    Texts of ASCII alone need no folding but lower case, and are counted by a regex; the others
    are split one by one.
    """
    counts = {token: np.zeros(len(texts), dtype=np.int64) for token in tokens}
    is_ascii = (texts.str.len_bytes() == texts.str.len_chars()).to_numpy()
    # \b takes an underscore for a letter; a tokenizer does not.
    plain = texts.filter(pl.Series(is_ascii)).str.to_lowercase().str.replace_all("_", " ")
    lengths = np.zeros(len(texts), dtype=np.int64)
    lengths[is_ascii] = plain.str.count_matches(_ASCII_WORD).to_numpy()
    for token in tokens:
        if token.isascii():
            word = rf"(?-u:\b){re.escape(token)}(?-u:\b)"
            counts[token][is_ascii] = plain.str.count_matches(word).to_numpy()
    for position in np.flatnonzero(~is_ascii):
        found = Counter(tokenize(texts[int(position)]))
        lengths[position] = found.total()
        for token in tokens:
            counts[token][position] = found[token]
    return counts, lengths
