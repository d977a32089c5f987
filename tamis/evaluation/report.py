"""An evaluation as tables, as plain data, and as examples."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tamis.evaluation.intervals import Interval
from tamis.evaluation.measures import MEASURES
from tamis.evaluation.measuring import Asked, Evaluation
from tamis.evaluation.rungs import AFTER, BEFORE
from tamis.render import table

NAMES = {
    "recall_at_5": "recall@5",
    "recall_at_10": "recall@10",
    "recall_at_20": "recall@20",
    "ndcg_at_10": "nDCG@10",
    "reciprocal_rank": "MRR",
    "hit_at_10": "hit@10",
    "precision_at_5": "precision@5",
    "precision_at_10": "precision@10",
    "slot_waste_at_10": "slot waste@10",
    "noise_at_10": "noise@10",
    "stale_at_10": "stale@10",
    "stale_above_fresh": "stale above fresh",
    "tokens_to_evidence": "tokens to evidence",
}
LADDER = ("recall_at_10", "ndcg_at_10", "slot_waste_at_10", "stale_above_fresh")
CLEAN = "clean"


def shown(interval: Interval, measure: str = "") -> str:
    """A mean with its bounds, or a dash where nothing is known."""
    if math.isnan(interval.mean):
        return "-"
    digits = 0 if measure == "tokens_to_evidence" else 3
    bounds = [f"{value:.{digits}f}" for value in (interval.mean, interval.low, interval.high)]
    return f"{bounds[0]} [{bounds[1]}, {bounds[2]}]"


def arms(evaluation: Evaluation, store: str) -> tuple[Asked, Asked]:
    """Before and after of a store: both hold clean text."""
    return evaluation.of(store, BEFORE), evaluation.of(store, AFTER)


def evaluation_text(evaluation: Evaluation) -> str:
    """Every table for a terminal."""
    sections: list[str] = []
    for store in evaluation.stores:
        heading = f"{evaluation.name}, {store} store" if len(evaluation.stores) > 1 else ""
        parts = [heading, before_and_after(evaluation, store), "", ladder(evaluation, store)]
        parts += ["", *losses(evaluation, store), *abstention(evaluation, store)]
        sections.append("\n".join(parts[not heading :]))
    if categories := by_category(evaluation):
        sections.append(categories)
    if shares := of_clean(evaluation):
        sections.append(shares)
    sections.append("\n".join([*evaluation.notes, footer(evaluation)]))
    return "\n\n".join(sections)


def footer(evaluation: Evaluation) -> str:
    """How the numbers are to be read."""
    conversations = len({one.conversation for one in evaluation.questions} - {""})
    drawn = f" about {conversations} conversations" if conversations else ""
    return (
        f"{len(evaluation.questions)} questions with an answer{drawn}; 95 % intervals in brackets."
        " Before: every event, its clean text. After: what recall searches."
    )


def before_and_after(evaluation: Evaluation, store: str) -> str:
    """Every measure before and after, and what changed."""
    before, after = arms(evaluation, store)
    rows: list[tuple[str, str, str, str]] = [
        ("documents", str(before.documents), str(after.documents), "")
    ]
    for measure in MEASURES:
        if all(math.isnan(value) for value in after.column(measure)):
            continue
        change = "-"
        if evaluation.draws is not None:
            change = shown(
                evaluation.draws.difference(before.column(measure), after.column(measure)), measure
            )
        rows.append(
            (
                NAMES[measure],
                shown(evaluation.interval(before, measure), measure),
                shown(evaluation.interval(after, measure), measure),
                change,
            )
        )
    return table(rows, ("", "before", "after", "change"))


def ladder(evaluation: Evaluation, store: str) -> str:
    """The rungs of a store, each with the measures that tell them apart."""
    rows = [
        (
            one.rung,
            str(one.documents),
            *(shown(evaluation.interval(one, measure)) for measure in LADDER),
        )
        for one in evaluation.rungs(store)
    ]
    return table(rows, ("rung", "documents", *(NAMES[measure] for measure in LADDER)))


def rung_rows(
    evaluation: Evaluation, store: str, measures: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """One row per rung and measure that it has: rung, documents, measure, mean, low, high."""
    for one in evaluation.rungs(store):
        for measure in measures:
            if told := number(evaluation.interval(one, measure)):
                yield {"rung": one.rung, "documents": one.documents, "measure": measure, **told}


def losses(evaluation: Evaluation, store: str) -> Iterator[str]:
    """What curation cost, in words."""
    found = evaluation.losses[store]
    yield f"evidence lost: {len(found.evidence_lost)}; false merges: {found.false_merges}"
    if found.noise is not None and found.falsely_refused is not None:
        right = found.refused - found.falsely_refused
        yield (
            f"noise: {found.noise} events, {found.noise_kept} of them kept;"
            f" {found.refused} refused, {right} of them rightly"
        )
    if found.never_captured:
        yield f"answers that nothing captured holds: {len(found.never_captured)}"


def abstention(evaluation: Evaluation, store: str) -> Iterator[str]:
    """How the rules that cut lists treat the questions, in words."""
    for one in evaluation.abstention[store]:
        quiet = one.silent_unanswerable
        told = "" if quiet is None else f"silent on {quiet:.0%} of unanswerable questions, "
        yield (
            f"{one.rule} rule (cut lists): {told}silent on {one.silent_answerable:.0%} of"
            f" answerable ones, recall {one.recall:.3f}"
        )


def by_category(evaluation: Evaluation) -> str:
    """Recall and nDCG of the curated stores by category; empty where there is one."""
    rows = list(category_rows(evaluation))
    if len({row["category"] for row in rows}) < 2:
        return ""
    cells = [
        (
            row["store"],
            row["category"],
            str(row["questions"]),
            *(f"{row[f'{arm}_{name}']:.3f}" for name in LADDER[:2] for arm in ("before", "after")),
        )
        for row in rows
    ]
    headings = [f"{NAMES[name]} {arm}" for name in LADDER[:2] for arm in ("before", "after")]
    return table(cells, ("store", "category", "questions", *headings))


def category_rows(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """One row per store and category: its questions, and the means before and after."""
    categories = sorted({one.category for one in evaluation.questions})
    for store in evaluation.stores:
        before, after = arms(evaluation, store)
        for category in categories:
            places = [
                place for place, one in enumerate(evaluation.questions) if one.category == category
            ]
            row: dict[str, Any] = {
                "store": store,
                "category": category,
                "questions": len(places),
            }
            for name in LADDER[:2]:
                for arm, asked in (("before", before), ("after", after)):
                    values = [asked.values[place][name] for place in places]
                    row[f"{arm}_{name}"] = sum(values) / len(values)
            yield row


def of_clean(evaluation: Evaluation) -> str:
    """What share of the clean store's recall each polluted store reaches after curation."""
    if CLEAN not in evaluation.stores or len(evaluation.stores) < 2 or evaluation.draws is None:
        return ""
    rows = [
        (
            store,
            *(shown(one) for name in LADDER[:2] for one in clean_shares(evaluation, store, name)),
        )
        for store in evaluation.stores
        if store != CLEAN
    ]
    headings = [f"{arm}, {NAMES[name]}" for name in LADDER[:2] for arm in ("before", "after")]
    return table(rows, ("share of clean", *headings))


def clean_shares(evaluation: Evaluation, store: str, measure: str) -> list[Interval]:
    """Before and after of a store as shares of the clean store's after, question by question."""
    whole = evaluation.of(CLEAN, AFTER).column(measure)
    assert evaluation.draws is not None
    return [
        evaluation.draws.ratio(whole, asked.column(measure)) for asked in arms(evaluation, store)
    ]


def data(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as plain data; what is no number is null."""
    return {
        "set": evaluation.name,
        "stores": [
            {
                "store": store,
                "rungs": [
                    {"rung": one.rung, "documents": one.documents}
                    | {name: number(evaluation.interval(one, name)) for name in MEASURES}
                    for one in evaluation.rungs(store)
                ],
                "change": changes(evaluation, store),
                "evidence_lost": evaluation.losses[store].evidence_lost,
                "never_captured": evaluation.losses[store].never_captured,
                "false_merges": evaluation.losses[store].false_merges,
                "refused": evaluation.losses[store].refused,
                "falsely_refused": evaluation.losses[store].falsely_refused,
                "noise": evaluation.losses[store].noise,
                "noise_kept": evaluation.losses[store].noise_kept,
                "abstention": [vars(one) for one in evaluation.abstention[store]],
            }
            for store in evaluation.stores
        ],
        "categories": list(category_rows(evaluation)),
        "questions": list(question_rows(evaluation)),
        "notes": evaluation.notes,
    }


def number(interval: Interval) -> dict[str, float] | None:
    """An interval as plain data."""
    if math.isnan(interval.mean):
        return None
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}


def changes(evaluation: Evaluation, store: str) -> dict[str, Any]:
    """What changed from before to after, by measure."""
    if evaluation.draws is None:
        return {}
    before, after = arms(evaluation, store)
    return {
        name: number(evaluation.draws.difference(before.column(name), after.column(name)))
        for name in MEASURES
    }


def question_rows(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """One row per store and question: every measure before and after, and the first texts."""
    for store in evaluation.stores:
        before, after = arms(evaluation, store)
        for place, one in enumerate(evaluation.questions):
            row: dict[str, Any] = {
                "store": store,
                "question": one.question,
                "project": one.project,
                "category": one.category,
                "conversation": one.conversation,
                "answers": len(set(one.expected)),
            }
            for arm, asked in (("before", before), ("after", after)):
                for name in MEASURES:
                    value = asked.values[place][name]
                    row[f"{arm}_{name}"] = None if math.isnan(value) else value
                row[f"{arm}_first"] = asked.shown[place]
            yield row


def won_and_lost(
    evaluation: Evaluation, store: str, most: int = 5
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The questions that gained and that lost most nDCG@10 by curation, the greatest first."""
    rows = [row for row in question_rows(evaluation) if row["store"] == store]

    def gain(row: dict[str, Any]) -> float:
        return float(row["after_ndcg_at_10"] - row["before_ndcg_at_10"])

    ordered = sorted(rows, key=gain)
    lost = [row for row in ordered if gain(row) < 0][:most]
    won = [row for row in reversed(ordered) if gain(row) > 0][:most]
    return won, lost
