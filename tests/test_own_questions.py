"""Questions that a store asks of itself."""

from collections import Counter
from pathlib import Path

import pytest
from handmade_build import fact, source, write_build

from tamis.evaluation.measuring import STORE, evaluate
from tamis.evaluation.own_questions import entities, masked, masked_questions
from tamis.evaluation.rungs import AFTER, BEFORE
from tamis.recall.tokens import question_tokens


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The port of Grafana is 7443.", ["Grafana", "7443"]),
        ("Reviews need two approvals. They are by Ana", ["Ana"]),
        ("Use api/v2 and the APIs of staging", ["api/v2", "APIs"]),
        ("배포 서버의 포트는 7443 입니다", ["7443"]),
        ("nothing to take out", []),
        ("", []),
    ],
)
def test_names_and_numbers_are_what_can_be_taken_out(text: str, names: list[str]) -> None:
    assert list(entities(text)) == names


def test_the_rarest_is_taken_out_wherever_it_stands() -> None:
    texts = ["Grafana on Mars listens on 7443, says Grafana", "Mars has the 7443 of Phobos"]
    held = Counter(word for text in texts for word in set(question_tokens(text)))
    assert masked(texts[0], held) == "on Mars listens on 7443, says"
    assert masked("nothing to take out", held) == ""


def write_store(home: Path) -> Path:
    """A store where one fact was said by forty, one with its time, and two differ in a name."""
    said = "The nightly backup of billing runs at 0400"
    other = fact("agent", "Release notes are written by Maria on Fridays")
    other |= {"agent_id": "scribe", "namespace": "default:agent:scribe"}
    facts = [
        fact("backup", said, capture_count=40),
        fact("host1", "The staging database lives on host Pluto"),
        fact("host2", "The staging database lives on host Ceres"),
        fact("old", "Invoices are sent on day 12 of a month", is_current=False),
        fact("plain", "reviews need two approvals before a merge"),
        other,
    ]
    sources = [source(f"e{number}", "backup", "repeat") for number in range(40)]
    sources += [
        source(f"s/{row['fact_id']}", row["fact_id"], namespace=row["namespace"]) for row in facts
    ]
    return write_build(home, facts, sources, [])


def test_a_fact_asks_by_the_rest_of_its_words_unless_another_would_ask_the_same(
    tmp_path: Path,
) -> None:
    questions = masked_questions(write_store(tmp_path))
    assert {one.expected[0]: (one.question, one.namespace) for one in questions} == {
        "The nightly backup of billing runs at 0400": (
            "The nightly backup of billing runs at",
            "default",
        ),
        "Release notes are written by Maria on Fridays": (
            "Release notes are written by Maria on",
            "default:agent:scribe",
        ),
    }


def test_of_many_the_same_are_chosen_each_time(tmp_path: Path) -> None:
    facts = [
        fact(f"f{number}", f"Service kind{number} of unit{number} answers slowly at noon")
        for number in range(30)
    ]
    published = write_build(tmp_path, facts, [], [])
    chosen = masked_questions(published, most=10)
    assert len(chosen) == 10
    assert chosen == masked_questions(published, most=10)
    assert chosen != masked_questions(published, most=10, seed=8)
    assert len(masked_questions(published)) == 30


def test_they_show_what_copies_do_to_a_store(tmp_path: Path) -> None:
    published = write_store(tmp_path)
    evaluation = evaluate(published, masked_questions(published))
    before, after = (evaluation.of(STORE, rung) for rung in (BEFORE, AFTER))
    assert sum(before.column("slot_waste_at_10")) > sum(after.column("slot_waste_at_10")) == 0
    assert after.column("ndcg_at_10") == [1.0, 1.0]
