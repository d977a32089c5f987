"""Recall, nDCG and slot waste of one ranked list, and their means over questions.

Recall at k is the set-based measure of Manning, Raghavan and Schütze, "Introduction to Information
Retrieval" (2008), section 8.3. nDCG is that of Järvelin and Kekäläinen, "Cumulated gain-based
evaluation of IR techniques" (2002), with binary gains and the discount 1 / log2(rank + 1) that
trec_eval uses. Slot waste is tamis's own and defined below.

A ranked list holds texts, best first. An answer is a text too: two documents with one text are two
sightings of one answer, and only the first of them earns anything.
"""

import math
from collections.abc import Collection, Iterable, Sequence


def recall_at(ranked: Sequence[str], answers: Collection[str], k: int) -> float:
    """The share of the distinct answers that stand among the first ``k`` texts, 0 to 1.

    Raises:
        ValueError: there is no answer to find.
    """
    wanted = _distinct(answers)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def ndcg_at(ranked: Sequence[str], answers: Collection[str], k: int) -> float:
    """The discounted gain of the first ``k`` texts over that of the best possible order, 0 to 1.

    An answer gains 1 where it is seen first; every later sighting of it gains nothing but keeps its
    slot, so copies push the next answer down.

    Raises:
        ValueError: there is no answer to find.
    """
    wanted = _distinct(answers)
    best = sum(_discount(rank) for rank in range(1, min(len(wanted), k) + 1))
    gain = 0.0
    missing = set(wanted)
    for rank, text in enumerate(ranked[:k], start=1):
        if text in missing:
            missing.remove(text)
            gain += _discount(rank)
    return gain / best


def slot_waste_at(
    ranked: Sequence[str], refused: Sequence[bool], answers: Collection[str], k: int
) -> float:
    """The share of the first ``k`` slots that tell the reader nothing, 0 to 1.

    A slot is wasted when its text already stood in an earlier slot, or when its document is an
    event that curation refuses as noise and whose text is no answer to the question. The share is
    of the slots that are filled: a list shorter than ``k`` is not punished for its length, and an
    empty one wastes nothing.

    Args:
        ranked: the texts, best first.
        refused: for each text whether its document is a refused event.
        answers: the texts that answer the question.
        k: how many slots a reader looks at.

    Raises:
        ValueError: ``ranked`` and ``refused`` differ in length.
    """
    if len(ranked) != len(refused):
        raise ValueError("each ranked text needs its refused flag")
    seen: set[str] = set()
    wasted = 0
    for text, is_refused in zip(ranked[:k], refused[:k], strict=True):
        wasted += text in seen or (is_refused and text not in answers)
        seen.add(text)
    filled = len(ranked[:k])
    return wasted / filled if filled else 0.0


def macro_mean(values: Iterable[float]) -> float:
    """The mean over questions, each counting once however many answers it has; 0 for none."""
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else 0.0


def _distinct(answers: Collection[str]) -> set[str]:
    wanted = set(answers)
    if not wanted:
        raise ValueError("a question needs at least one answer")
    return wanted


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
