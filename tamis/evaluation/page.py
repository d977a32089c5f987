"""An evaluation as one page of HTML that needs nothing else: no script, no font, no network."""

import math
from html import escape
from pathlib import Path
from typing import Any

from tamis.errors import ENVIRONMENT, TamisError
from tamis.evaluation.measuring import Evaluation
from tamis.evaluation.report import (
    LADDER,
    NAMES,
    before_and_after,
    by_category,
    footer,
    ladder,
    losses,
    of_clean,
    won_and_lost,
)
from tamis.evaluation.report import abstention as told_abstention

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 260, 48, 16, 44
COLOURS = ("#2a7f62", "#3b6ea8", "#b7791f", "#c8553d", "#7a4f9a", "#4a5568", "#0f766e", "#9d174d")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #1a202c; background: #fff; }
h1, h2, h3 { line-height: 1.2; }
pre { overflow-x: auto; background: #f7fafc; padding: .75rem; font-size: 13px; }
svg { max-width: 100%; height: auto; }
ol { margin: .25rem 0; } ol li { font-size: 14px; }
.answer { font-weight: 600; }
.arms { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.note { color: #4a5568; }
@media (max-width: 640px) { .arms { grid-template-columns: 1fr; } }
"""


def write_page(evaluation: Evaluation, path: Path) -> None:
    """Write the page.

    Raises:
        TamisError: exit 3 where the file can't be written.
    """
    try:
        path.write_text(page(evaluation), encoding="utf-8")
    except OSError as error:
        raise TamisError(f"can't write {path}: {error.strerror or error}", ENVIRONMENT) from error


def page(evaluation: Evaluation) -> str:
    """The page's text."""
    title = f"Recall before and after: {evaluation.name}"
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="note">{escape(footer(evaluation))}</p>']
    parts += [f'<p class="note">{escape(note)}</p>' for note in evaluation.notes]
    parts += [
        f"<figure><figcaption>{NAMES[measure]} by rung</figcaption>{figure}</figure>"
        for measure in LADDER
        if (figure := drawn(evaluation, measure))
    ]
    for store in evaluation.stores:
        told = [*losses(evaluation, store), *told_abstention(evaluation, store)]
        parts += [
            f"<h2>{escape(store)}</h2>",
            f"<pre>{escape(before_and_after(evaluation, store))}</pre>",
            f"<pre>{escape(ladder(evaluation, store))}</pre>",
            *(f"<p>{escape(line)}</p>" for line in told),
        ]
        won, lost = won_and_lost(evaluation, store)
        parts += examples("Questions won", won) + examples("Questions lost", lost)
    for table in (by_category(evaluation), of_clean(evaluation)):
        if table:
            parts.append(f"<pre>{escape(table)}</pre>")
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def examples(heading: str, rows: list[dict[str, Any]]) -> list[str]:
    """Questions with both of their result lists."""
    if not rows:
        return []
    parts = [f"<h3>{heading}</h3>"]
    for row in rows:
        parts.append(f"<p><strong>{escape(row['question'])}</strong></p><div class='arms'>")
        for arm in ("before", "after"):
            score = row[f"{arm}_ndcg_at_10"]
            items = "".join(f"<li>{escape(text[:300])}</li>" for text in row[f"{arm}_first"])
            parts.append(f"<div>{arm}, nDCG@10 {score:.2f}<ol>{items}</ol></div>")
        parts.append("</div>")
    return parts


def drawn(evaluation: Evaluation, measure: str) -> str:
    """A measure by rung as a drawing: one line per store, its intervals as bars.

    Empty where no store has the measure.
    """
    names = list(dict.fromkeys(one.rung for one in evaluation.asked))
    lines = []
    for number, store in enumerate(evaluation.stores):
        colour = COLOURS[number % len(COLOURS)]
        points = []
        for one in evaluation.rungs(store):
            interval = evaluation.interval(one, measure)
            if math.isnan(interval.mean):
                continue
            # Stores stand beside each other, so that no bar hides another.
            x = across(names.index(one.rung), len(names)) + (number - 1) * 5
            points.append((x, interval))
        if not points:
            continue
        route = " ".join(f"{x:.1f},{up(interval.mean):.1f}" for x, interval in points)
        lines.append(f'<polyline points="{route}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, interval in points:
            lines.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{up(interval.low):.1f}"'
                f' y2="{up(interval.high):.1f}" stroke="{colour}"/>'
                f'<circle cx="{x:.1f}" cy="{up(interval.mean):.1f}" r="4" fill="{colour}">'
                f"<title>{escape(store)}: {interval.mean:.3f}</title></circle>"
            )
        lines.append(
            f'<text x="{LEFT + 8 + number * 90}" y="{HEIGHT - 6}" fill="{colour}"'
            f' font-size="13">● {escape(store)}</text>'
        )
    if not lines:
        return ""
    grid = [
        f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{up(value):.1f}" y2="{up(value):.1f}"'
        f' stroke="#e2e8f0"/><text x="{LEFT - 8}" y="{up(value) + 4:.1f}" font-size="12"'
        f' text-anchor="end">{value:.1f}</text>'
        for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    labels = [
        f'<text x="{across(place, len(names)):.1f}" y="{HEIGHT - 24}" font-size="12"'
        f' text-anchor="middle">{escape(name)}</text>'
        for place, name in enumerate(names)
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{NAMES[measure]} by rung">'
        f"{''.join(grid)}{''.join(labels)}{''.join(lines)}</svg>"
    )


def across(place: int, places: int) -> float:
    """Where a rung stands from left to right."""
    return LEFT + (WIDTH - LEFT - 8) * (place + 0.5) / places


def up(value: float) -> float:
    """Where a share from 0 to 1 stands from top to bottom."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(max(value, 0.0), 1.0))
