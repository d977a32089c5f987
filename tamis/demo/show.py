"""Run the whole line on the demo's captures, and put before beside after."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl

from tamis.demo import GOLDEN, QUESTIONS, write_captures
from tamis.evaluation.golden import load_questions
from tamis.evaluation.measures import means
from tamis.evaluation.measuring import STORE, Evaluation, evaluate
from tamis.evaluation.rungs import AFTER, BEFORE
from tamis.home import prepare_home
from tamis.progress import Progress
from tamis.render import table
from tamis.run import run_captures

SHOWN = ("recall_at_5", "ndcg_at_10", "slot_waste_at_10")


@dataclass(frozen=True)
class Demo:
    """What the demo shows: the text for a terminal, and the same as plain data."""

    text: str
    data: dict[str, Any]


def run_demo(
    home: Path | None,
    *,
    now: datetime,
    note: Callable[[str], None],
    progress: Progress | None = None,
) -> Demo:
    """Land, build, check and publish the demo's captures, then measure recall before and after.

    Args:
        home: where to keep the result; a temporary folder that goes away where None.
        now: the time of landing and build, naive UTC.
        note: told what is being done, line by line.
        progress: shown how far the build is.
    """
    if home is not None:
        return _run(home, now=now, note=note, progress=progress)
    with tempfile.TemporaryDirectory(prefix="tamis-demo-") as folder:
        return _run(Path(folder) / "home", now=now, note=note, progress=progress)


def evaluate_demo(
    home: Path | None,
    *,
    now: datetime,
    note: Callable[[str], None],
    progress: Progress | None = None,
) -> Evaluation:
    """Build the demo's captures, and ask its golden questions of every rung.

    The arguments are those of `run_demo`.
    """
    with tempfile.TemporaryDirectory(prefix="tamis-demo-") as folder:
        kept = home or Path(folder) / "home"
        published = build_demo(kept, now=now, note=note, progress=progress)
        questions = [*load_questions(QUESTIONS), *load_questions(GOLDEN)]
        return evaluate(published, questions, home=kept, name="demo")


def build_demo(
    home: Path, *, now: datetime, note: Callable[[str], None], progress: Progress | None
) -> Path:
    """Land, build, check and publish the demo's captures; the folder of the published build."""
    prepare_home(home)
    captures = write_captures(home / "captures")
    published = run_captures(home, captures, now=now, note=note, progress=progress)
    note(f"published {published.name}")
    return published


def _run(
    home: Path, *, now: datetime, note: Callable[[str], None], progress: Progress | None
) -> Demo:
    published = build_demo(home, now=now, note=note, progress=progress)
    evaluation = evaluate(published, QUESTIONS, name="demo")
    before, after = (of_arm(evaluation, rung) for rung in (BEFORE, AFTER))
    lost = evaluation.losses[STORE].evidence_lost
    summary = pl.read_parquet(published / "curation_summary.parquet")
    refused = refusals(summary)
    events = int(summary["event_count"].sum())
    facts = pl.read_parquet(published / "facts.parquet").height
    rows: list[tuple[str, Any, Any]] = [
        ("memories", events, facts),
        ("recall@5", f"{before['recall_at_5']:.2f}", f"{after['recall_at_5']:.2f}"),
        ("nDCG@10", f"{before['ndcg_at_10']:.2f}", f"{after['ndcg_at_10']:.2f}"),
        (
            "slot waste@10",
            f"{before['slot_waste_at_10']:.1%}",
            f"{after['slot_waste_at_10']:.1%}",
        ),
        ("answers lost", "", len(lost)),
    ]
    repeats = int(summary.filter(pl.col("verdict") == "repeat")["event_count"].sum())
    reasons = ", ".join(f"{reason} {count}" for reason, count in refused)
    text = "\n".join(
        [
            table([(name, str(old), str(new)) for name, old, new in rows], ("", "before", "after")),
            "",
            f"{events} events: {facts} facts, {repeats} repeats of them,"
            f" {events - facts - repeats} refused",
            f"refused: {reasons}",
        ]
    )
    return Demo(
        text,
        {
            "home": str(home),
            "events": events,
            "facts": facts,
            "repeats": repeats,
            "refused": dict(refused),
            "before": before,
            "after": after,
            "evidence_lost": lost,
        },
    )


def of_arm(evaluation: Evaluation, rung: str) -> dict[str, float]:
    """The documents of a rung, and the means of what the demo shows."""
    asked = evaluation.of(STORE, rung)
    return {"documents": asked.documents} | {name: means(asked.values, name) for name in SHOWN}


def refusals(summary: pl.DataFrame) -> list[tuple[str, int]]:
    """How many events were refused by reason, the most first.

    Args:
        summary: the curation_summary mart.
    """
    counted = (
        summary.filter(pl.col("verdict") == "refused")
        .group_by("reason")
        .agg(pl.col("event_count").sum())
        .sort(["event_count", "reason"], descending=[True, False])
    )
    return [(reason.replace("_", " "), int(count)) for reason, count in counted.iter_rows()]
