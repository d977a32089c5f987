"""Upstream's own cases, answered by tamis's code and SQL.

Each module answers the tables of one topic: its `REPLAYS` maps a table (its path under cases/
without .json) to a function that takes the table's cases and returns tamis's answers in upstream's
form, one a case. `deviations.csv` names every case in which tamis means to answer otherwise.
"""

import csv
import importlib
import json
import pkgutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Replay = Callable[[Sequence[Case]], Sequence[Any]]


@dataclass(frozen=True)
class Deviation:
    """A case in which tamis answers otherwise than upstream, or which asks for nothing it does.

    Attributes:
        table: the case's table.
        case: its name, see `names_of`.
        better: tamis's answer as JSON; empty where the case asks for what tamis does not do.
        defect: the section of the upstream report, or the issue, that says what is wrong there.
    """

    table: str
    case: str
    better: str
    defect: str


def deviations() -> list[Deviation]:
    """The rows of deviations.csv."""
    path = Path(__file__).with_name("deviations.csv")
    with path.open(newline="", encoding="utf-8") as file:
        return [Deviation(**row) for row in csv.DictReader(file)]


def replays() -> dict[str, Replay]:
    """What answers each table, from all modules of this package."""
    found: dict[str, Replay] = {}
    for module in pkgutil.iter_modules(__path__):
        found |= importlib.import_module(f"{__name__}.{module.name}").REPLAYS
    return found


def cases(shared: Path, table: str) -> list[Case]:
    """The cases of a table."""
    found: list[Case] = json.loads((shared / "cases" / f"{table}.json").read_text(encoding="utf-8"))
    return found


def names_of(found: Sequence[Case]) -> list[str]:
    """A name for each case of a table: its note where that is its own, else its input as JSON."""
    notes = Counter(case.get("note") for case in found)
    return [
        case["note"]
        if case.get("note") and notes[case["note"]] == 1
        else json.dumps(case["input"], ensure_ascii=False)
        for case in found
    ]


def is_right(case: dict[str, Any], answer: Any, deviation: Deviation | None) -> bool:
    """Whether the answer is upstream's, or the better one where a deviation names it."""
    if deviation is None:
        return bool(answer == case["expected"])
    return not deviation.better or bool(answer == json.loads(deviation.better))
