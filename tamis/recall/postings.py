"""Which fact holds which word how often: arrays that a search reads where they lie on disk."""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.recall.tokens import tokenize

Integers = npt.NDArray[Any]
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

# One sorted number holds a term, a fact and a count: 26, 26 and 12 bits.
_FACT_BITS, _COUNT_BITS = 26, 12
_MOST_FACTS, _MOST_COUNTED = 2**_FACT_BITS, 2**_COUNT_BITS - 1


@dataclass(frozen=True)
class Postings:
    """For every term the facts that hold it.

    Attributes:
        terms: the hashes of all tokens, ascending; a term's number is its place here.
        starts: where each term's facts begin, and one number for the end of the last.
        facts: positions of facts, term by term, ascending in each.
        counts: how often the fact beside it in ``facts`` holds the term, at most 4,095.
        lengths: how many tokens each fact has.
    """

    terms: Integers
    starts: Integers
    facts: Integers
    counts: Integers
    lengths: Integers


@dataclass(frozen=True)
class Known:
    """Postings of an earlier build, and for each new fact its old position, -1 where it has none.

    No two new facts have the same old position.
    """

    postings: Postings
    positions: Integers


def term_hash(token: str) -> int:
    """A token as a number of 64 bits: a million tokens share one once in 30 million stores."""
    return int.from_bytes(blake2b(token.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def build_postings(texts: Sequence[str], known: Known | None = None) -> Postings:
    """Index texts by position; texts of an earlier build are not read again.

    The same texts give the same arrays, whether an earlier build knew them or not.
    """
    if len(texts) >= _MOST_FACTS:
        raise ValueError(f"an index holds fewer than {_MOST_FACTS} facts, not {len(texts)}")
    fresh = list(range(len(texts)))
    if known is not None:
        fresh = np.flatnonzero(known.positions < 0).tolist()
    numbers = _Numbers()
    of_terms = array("I")
    lengths = np.zeros(len(texts), dtype=np.int32)
    for position in fresh:
        tokens = tokenize(texts[position])
        lengths[position] = len(tokens)
        of_terms.extend(map(numbers.__getitem__, tokens))
    hashes = np.fromiter(map(term_hash, numbers), np.uint64, len(numbers))
    facts = np.repeat(np.asarray(fresh, dtype=np.int64), lengths[fresh])
    parts = [(hashes, *_counted(_array(of_terms), facts))]
    if known is not None:
        parts.append(_kept(known, lengths))
    return _assembled(parts, lengths)


def _array(values: Any) -> Integers:
    return np.frombuffer(values, dtype=values.typecode) if values else np.zeros(0, np.uint32)


class _Numbers(dict[str, int]):
    """Tokens, numbered as they come."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number


def _counted(of_terms: Integers, facts: Integers) -> tuple[Integers, Integers, Integers]:
    """Each pair of a term and a fact once, and how often it is there."""
    pairs = of_terms.astype(np.uint64) << np.uint64(_FACT_BITS) | facts.astype(np.uint64)
    pairs.sort()
    begins = np.flatnonzero(np.concatenate([[True], pairs[1:] != pairs[:-1]])[: len(pairs)])
    counts = np.minimum(np.diff(begins, append=len(pairs)), _MOST_COUNTED)
    once = pairs[begins]
    return once >> np.uint64(_FACT_BITS), once & np.uint64(_MOST_FACTS - 1), counts


def _kept(known: Known, lengths: Integers) -> tuple[Integers, Integers, Integers, Integers]:
    """What an earlier build knows of the texts that stayed, at their new positions."""
    old = known.postings
    kept = np.flatnonzero(known.positions >= 0)
    lengths[kept] = old.lengths[known.positions[kept]]
    moved = np.full(len(old.lengths), -1, dtype=np.int64)
    moved[known.positions[kept]] = kept
    facts = moved[old.facts]
    of_terms = np.repeat(np.arange(len(old.terms), dtype=np.uint32), np.diff(old.starts))
    stays = facts >= 0
    used, renumbered = np.unique(of_terms[stays], return_inverse=True)
    return old.terms[used], renumbered, facts[stays], old.counts[stays]


def _assembled(
    parts: Sequence[tuple[Integers, Integers, Integers, Integers]], lengths: Integers
) -> Postings:
    terms = np.unique(np.concatenate([hashes for hashes, *_ in parts]))
    keys = []
    for hashes, of_terms, of_facts, counts in parts:
        numbers = np.searchsorted(terms, hashes).astype(np.uint64)
        key = numbers[of_terms] << np.uint64(_FACT_BITS)
        key |= of_facts.astype(np.uint64)
        key <<= np.uint64(_COUNT_BITS)
        key |= counts.astype(np.uint64)
        keys.append(key)
    key = np.concatenate(keys)
    key.sort()
    of_terms = key >> np.uint64(_FACT_BITS + _COUNT_BITS)
    return Postings(
        terms,
        np.searchsorted(of_terms, np.arange(len(terms) + 1, dtype=np.uint64)).astype(np.int64),
        ((key >> np.uint64(_COUNT_BITS)) & np.uint64(_MOST_FACTS - 1)).astype(np.int32),
        (key & np.uint64(_MOST_COUNTED)).astype(np.uint16),
        lengths,
    )


@dataclass(frozen=True)
class Matches:
    """What BM25 gives each fact for a question, and the most that a fact could get for it."""

    scores: Numbers
    most: float


def bm25(
    postings: Postings, tokens: Sequence[str], visible: Flags, *, k1: float, b: float
) -> Matches:
    """Score the visible facts as Lucene does, as if no others were indexed.

    How rare a term is and how long a fact is on average are counted among the visible facts, so
    that one store of many projects ranks each of them as an index of its own would. A term that
    no fact holds adds to the most that could be had: what is asked for and missing counts.
    """
    scores = np.zeros(len(postings.lengths), dtype=np.float32)
    size = int(np.count_nonzero(visible))
    if not size:
        return Matches(scores, 0.0)
    average = float(postings.lengths[visible].mean())
    slack: Numbers = (
        k1 * (1 - b + b * (postings.lengths / np.float32(max(average, 1e-9))))
    ).astype(np.float32)
    most = 0.0
    for token, repeats in sorted(Counter(tokens).items()):
        facts, counts = held(postings, token)
        seen = visible[facts]
        if not seen.all():
            facts, counts = facts[seen], counts[seen]
        rarity = np.log1p((size - len(facts) + 0.5) / (len(facts) + 0.5))
        weight = np.float32(repeats * rarity)
        most += float(weight)
        often = counts.astype(np.float32)
        scores[facts] += weight * (often / (often + slack[facts]))
    return Matches(scores, most)


def held(postings: Postings, token: str) -> tuple[Integers, Integers]:
    """The facts that hold a token, and how often."""
    number = int(np.searchsorted(postings.terms, np.uint64(term_hash(token))))
    if number == len(postings.terms) or postings.terms[number] != term_hash(token):
        return postings.facts[:0], postings.counts[:0]
    span = slice(int(postings.starts[number]), int(postings.starts[number + 1]))
    return postings.facts[span], postings.counts[span]
