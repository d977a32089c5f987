"""Upstream's cases: tamis answers each as upstream does, or better and with the defect named."""

import json
from pathlib import Path

import pytest
from replay_totals import counted
from replays import cases, deviations, is_right, names_of, replays

REPLAYS = replays()
DEVIATIONS = {(deviation.table, deviation.case): deviation for deviation in deviations()}


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


def test_totals_tell_apart_what_is_equal_better_and_not_asked_for(shared: Path) -> None:
    mixed = counted(shared, "openclaw/session_artifact_names")
    assert set(mixed) == {"equal", "deviations", "not asked for"}
    assert mixed.total() == len(cases(shared, "openclaw/session_artifact_names"))
    assert set(counted(shared, "claude_mem/cwd_to_dashed")) == {"not asked for"}
