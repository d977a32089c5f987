"""docs/rules.md lists every row of the seeds: what it decides, why, and two examples."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from tamis.rules.rows import SEEDS, read_rows

# What stands above this line is written by hand.
MARK = "<!-- From here on written by `python -m tamis.rules` from seeds/: edit the rows. -->"
SHOWN = ("reason", "example", "counter_example")
LONGEST = 160
INVISIBLE = re.compile(r"[^\S \n]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe0e\ufe0f]")


def with_tables(page: str, seeds: Path) -> str:
    """A page whose part below the mark lists the rows of a folder's seeds.

    Args:
        page: the page as it is; what stands above the mark stays.
        seeds: the seed files, and their description in `_seeds.yml`.
    """
    head = page.partition(MARK)[0].rstrip()
    described = yaml.safe_load((seeds / "_seeds.yml").read_text(encoding="utf-8"))["seeds"]
    purposes = {seed["name"]: " ".join(seed["description"].split()) for seed in described}
    parts = [head, MARK]
    for name in SEEDS:
        rows = read_rows(seeds / f"{name}.csv")
        parts.append(f"## {name}\n\n{purposes[name]}\n\n{_table(rows)}")
    return "\n\n".join(parts) + "\n"


def _table(rows: Sequence[Mapping[str, str]]) -> str:
    columns = list(rows[0])
    decides = [name for name in columns if name not in (*SHOWN, columns[0], "example_fields")]
    lines = [
        f"| {columns[0]} | decides | reason | example | counter-example |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        told = [f"{name} {code(row[name])}" for name in decides if row[name]]
        cells = [code(row[columns[0]]), "<br>".join(told), prose(row["reason"])]
        cells += [code(row["example"]), code(row["counter_example"])]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def code(text: str) -> str:
    """A text as code in a cell of a table, cut where it is long."""
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    shown = INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", shown).replace("\n", "⏎")
    shown = shown.replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    # A space inside keeps a tick or a space at an end apart from the fence.
    space = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{fence}{space}{shown}{space}{fence}"


def prose(text: str) -> str:
    """A text in a cell of a table, read as it is written."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))
