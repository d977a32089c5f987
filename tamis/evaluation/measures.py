"""The measures of one ranked list.

Recall, precision, nDCG, reciprocal rank and success are those of trec_eval, by ir-measures: recall
and precision as in Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008),
chapter 8; nDCG as in Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques"
(2002), with binary gains. A second document for the same answer keeps its slot and earns nothing.
The others are tamis's own, and defined below.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

SLOTS = 10
STANDARD = {
    "recall_at_5": "R@5",
    "recall_at_10": "R@10",
    "recall_at_20": "R@20",
    "ndcg_at_10": "nDCG@10",
    "reciprocal_rank": "RR",
    "hit_at_10": "Success@10",
    "precision_at_5": "P@5",
    "precision_at_10": "P@10",
}
OWN = (
    "slot_waste_at_10",
    "noise_at_10",
    "stale_at_10",
    "stale_above_fresh",
    "tokens_to_evidence",
)
MEASURES = (*STANDARD, *OWN)


@dataclass(frozen=True)
class Ranked:
    """One document of a ranked list.

    Attributes:
        answer: the clean text that it counts for.
        is_noise: whether it is known to say nothing.
        fresh: the text that replaced it, where it is known to be stale.
        tokens: how much of it a reader reads.
    """

    answer: str
    is_noise: bool = False
    fresh: str | None = None
    tokens: int = 0


def standard_measures(
    lists: Sequence[Sequence[Ranked]], answers: Sequence[Collection[str]]
) -> list[dict[str, float]]:
    """Recall, nDCG, reciprocal rank, success and precision of every list.

    Args:
        lists: one ranked list per question, best first.
        answers: for each question the texts that answer it, at least one.
    """
    import ir_measures

    relevant: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number, (ranked, wanted) in enumerate(zip(lists, answers, strict=True)):
        if not wanted:
            raise ValueError("a question needs at least one answer")
        names = {answer: f"answer-{place}" for place, answer in enumerate(sorted(set(wanted)))}
        relevant[str(number)] = dict.fromkeys(names.values(), 1)
        # Scores fall with the rank, so that no tie is broken by a document's name.
        scores: dict[str, float] = {}
        for place, one in enumerate(ranked):
            name = names.get(one.answer)
            if name is None or name in scores:
                name = f"slot-{place}"
            scores[name] = float(-place)
        run[str(number)] = scores
    parsed = {name: ir_measures.parse_measure(code) for name, code in STANDARD.items()}
    named = {measure: name for name, measure in parsed.items()}
    found = [dict.fromkeys(STANDARD, 0.0) for _ in lists]
    if lists:
        for metric in ir_measures.iter_calc(list(named), relevant, run):
            found[int(metric.query_id)][named[metric.measure]] = float(metric.value)
    return found


def own_measures(
    ranked: Sequence[Ranked], answers: Collection[str], forbidden: Collection[str]
) -> dict[str, float]:
    """Slot waste, noise, what is stale and how much has to be read, of one list."""
    return {
        "slot_waste_at_10": slot_waste(ranked, answers),
        "noise_at_10": noise_share(ranked, answers),
        "stale_at_10": stale_in_sight(ranked, forbidden),
        "stale_above_fresh": stale_above_fresh(ranked, answers, forbidden),
        "tokens_to_evidence": tokens_to_evidence(ranked, answers),
    }


def slot_waste(ranked: Sequence[Ranked], answers: Collection[str], k: int = SLOTS) -> float:
    """The share of the first `k` slots that tell the reader nothing, 0 to 1.

    A slot is wasted when an earlier one counts for the same answer, or when it is noise and no
    answer. The share is of the slots that are filled: a short list is not punished for its length.
    """
    seen: set[str] = set()
    wasted = 0
    for one in ranked[:k]:
        wasted += one.answer in seen or (one.is_noise and one.answer not in answers)
        seen.add(one.answer)
    return wasted / len(ranked[:k]) if ranked else 0.0


def noise_share(ranked: Sequence[Ranked], answers: Collection[str], k: int = SLOTS) -> float:
    """The share of the filled slots of the first `k` that hold noise, 0 to 1."""
    noisy = sum(one.is_noise and one.answer not in answers for one in ranked[:k])
    return noisy / len(ranked[:k]) if ranked else 0.0


def stale_in_sight(ranked: Sequence[Ranked], forbidden: Collection[str], k: int = SLOTS) -> float:
    """Whether a forbidden text stands among the first `k`; not a number where none is forbidden."""
    if not forbidden:
        return math.nan
    return float(any(one.answer in forbidden for one in ranked[:k]))


def stale_above_fresh(
    ranked: Sequence[Ranked], answers: Collection[str], forbidden: Collection[str], k: int = SLOTS
) -> float:
    """Whether a forbidden text among the first `k` stands above what replaced it.

    What replaced it is the text that it is known to be replaced by, else the best of the answers.
    Where that is not in the list at all, the forbidden text stands above it. Not a number where
    nothing is forbidden.
    """
    if not forbidden:
        return math.nan
    first: dict[str, int] = {}
    for place, one in enumerate(ranked):
        first.setdefault(one.answer, place)
    best = min((first[answer] for answer in answers if answer in first), default=len(ranked))
    for place, one in enumerate(ranked[:k]):
        if one.answer in forbidden:
            rival = first.get(one.fresh, len(ranked)) if one.fresh else best
            if place < rival:
                return 1.0
    return 0.0


def tokens_to_evidence(ranked: Sequence[Ranked], answers: Collection[str]) -> float:
    """How many tokens stand in the list up to the first answer, it included; all without one."""
    read = 0
    for one in ranked:
        read += one.tokens
        if one.answer in answers:
            break
    return float(read)


def means(rows: Sequence[Mapping[str, float]], measure: str) -> float:
    """The mean over the questions that a measure speaks of, each once; not a number for none."""
    told = [row[measure] for row in rows if not math.isnan(row[measure])]
    return math.fsum(told) / len(told) if told else math.nan
