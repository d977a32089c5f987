"""Upstream's cases: tamis answers each as upstream does, or better and with the defect named."""

import json
from pathlib import Path
from typing import Any

import pytest
from replays import Deviation, cases, deviations, names_of, replays

REPLAYS = replays()
DEVIATIONS = {(deviation.table, deviation.case): deviation for deviation in deviations()}


def is_right(case: dict[str, Any], answer: Any, deviation: Deviation | None) -> bool:
    """Whether the answer is upstream's, or the better one where a deviation names it."""
    if deviation is None:
        return bool(answer == case["expected"])
    return not deviation.better or bool(answer == json.loads(deviation.better))


@pytest.mark.parametrize("table", sorted(REPLAYS))
def test_cases(table: str, shared: Path) -> None:
    found = cases(shared, table)
    answers = REPLAYS[table](found)
    assert len(answers) == len(found)
    wrong = [
        {"case": name, "answer": answer, "expected": case["expected"]}
        for name, case, answer in zip(names_of(found), found, answers, strict=True)
        if not is_right(case, answer, DEVIATIONS.get((table, name)))
    ]
    assert wrong == []


def test_every_deviation_is_a_case_and_names_what_is_wrong_upstream(shared: Path) -> None:
    for (table, name), deviation in DEVIATIONS.items():
        (case,) = [
            case
            for case, known in zip(
                cases(shared, table), names_of(cases(shared, table)), strict=True
            )
            if known == name
        ]
        assert not deviation.better or json.loads(deviation.better) != case["expected"], name
        assert deviation.defect, name
