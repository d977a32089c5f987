"""Golden questions and public golden sets are read as they are written, or refused by line."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tamis.demo import GOLDEN
from tamis.errors import USAGE, TamisError
from tamis.evaluation.golden import Question, load_questions
from tamis.evaluation.locomo import evidence_of, find_locomo, load_locomo, read_time
from tamis.evaluation.longmemeval import find_longmemeval, load_longmemeval
from tamis.evaluation.sets import evaluate_set, limited, part_of

TALK = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I  bought\na kiln."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Nice!", "blip_caption": "a kiln"},
        ],
        "session_10_date_time": "12:05 am on 1 June, 2023",
        "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "It broke."}],
        "session_2_date_time": "9:00 am on 9 May, 2023",
    },
    "qa": [
        {"question": "What did Ada buy?", "evidence": ["D1:1"], "category": 4},
        {"question": "What became of it?", "evidence": ["D:1:1; D10:01"], "category": 1},
        {"question": "What did Ben buy?", "evidence": ["D1:1"], "category": 5},
        {"question": "Nothing says so", "evidence": ["D9:9", "D"], "category": 2},
    ],
}
HAYSTACK = {
    "question_id": "q1",
    "question_type": "single-session-user",
    "question": "Which degree?",
    "answer_session_ids": ["s2"],
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    "haystack_sessions": [
        [{"role": "user", "content": "Hello there"}],
        [
            {"role": "user", "content": "I hold a degree in botany.", "has_answer": True},
            {"role": "assistant", "content": "Well done."},
        ],
    ],
}


def write_lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_question_has_every_field(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "questions.jsonl",
        {"question": "q", "project": "p", "expected": ["a", "b"]},
        {
            "question": "q",
            "evidence": ["e"],
            "as_of": "2026-03-01T12:00:00+02:00",
            "forbidden": ["f"],
            "namespace": "n",
            "category": "c",
            "conversation": "d",
        },
        {"question": "q", "abstain": True},
    )
    assert load_questions(path) == [
        Question("q", "p", ("a", "b")),
        Question(
            "q",
            evidence=("e",),
            as_of=datetime(2026, 3, 1, 10),
            forbidden=("f",),
            namespace="n",
            category="c",
            conversation="d",
        ),
        Question("q", abstain=True),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '"text"',
        "{}",
        '{"question": " ", "expected": ["a"]}',
        '{"question": "q", "expected": []}',
        '{"question": "q", "expected": "a"}',
        '{"question": "q", "expected": [""]}',
        '{"question": "q", "expected": ["a"], "project": 7}',
        '{"question": "q", "expected": ["a"], "abstain": true}',
        '{"question": "q", "expected": ["a"], "abstain": "no"}',
        '{"question": "q", "expected": ["a"], "as_of": "yesterday"}',
        '{"question": "q", "expected": ["a"], "as_of": 7}',
        '{"question": "q", "expected": ["a"], "expeced": ["b"]}',
    ],
)
def test_a_line_that_is_no_question_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "q", "expected": ["a"]}\n' + line + "\n")
    with pytest.raises(TamisError, match=r"questions\.jsonl:2 is no question") as raised:
        load_questions(path)
    assert raised.value.exit_code == USAGE


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "questions.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TamisError, match="can't read the questions"):
        load_questions(path)


def test_locomo_keeps_speakers_pictures_times_and_categories(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps([TALK]))
    golden = load_locomo(find_locomo(tmp_path) or path)
    (conversation,) = golden.conversations
    assert [(turn.turn_id, turn.session, turn.role, turn.text) for turn in conversation.turns] == [
        ("D1:1", "session-1", "user", "Ada: I bought a kiln."),
        ("D1:2", "session-1", "assistant", "Ben: Nice! (shows a picture: a kiln)"),
        ("D10:1", "session-10", "user", "Ada: It broke."),
    ]
    assert conversation.turns[2].said_at == datetime(2023, 6, 1, 0, 5)
    asked = [(one.question, one.evidence, one.category) for one in golden.questions]
    assert asked == [
        ("What did Ada buy?", ("D1:1",), "single-hop"),
        ("What became of it?", ("D1:1", "D10:1"), "multi-hop"),
    ]
    assert limited(golden, 1).questions == golden.questions[:1]


def test_evidence_written_by_hand_is_read() -> None:
    assert evidence_of(["D8:6; D9:17", "D9:1 D4:4 D4:6", "D:11:26", "D30:05", "D", "D8:6"]) == [
        *("D8:6", "D9:17", "D9:1", "D4:4", "D4:6", "D11:26", "D30:5"),
    ]
    assert read_time("12:09 am on 13 September, 2023") == datetime(2023, 9, 13, 0, 9)


def test_what_settings_were_chosen_on_is_asked_apart(tmp_path: Path) -> None:
    path = tmp_path / "locomo10.json"
    path.write_text(json.dumps([TALK, {**TALK, "sample_id": "conv-26"}]))
    golden = load_locomo(path)
    said: list[str] = []
    names = [
        [one.name for one in part_of(golden, part, said.append).conversations]
        for part in ("all", "tuned", "held-out")
    ]
    assert names == [["conv-1", "conv-26"], ["conv-26"], ["conv-1"]]
    assert said == []
    assert part_of(golden.of({"conv-1"}), "tuned", said.append).questions
    assert said == ["none of the conversations is tuned: all are asked about"]


def test_longmemeval_marks_the_answering_turns(tmp_path: Path) -> None:
    unmarked = {**HAYSTACK, "question_id": "q2", "answer_session_ids": ["s1"]}
    silent = {**HAYSTACK, "question_id": "q3_abs"}
    path = tmp_path / "longmemeval_s_cleaned.json"
    path.write_text(json.dumps([HAYSTACK, unmarked, silent]))
    golden = load_longmemeval(find_longmemeval(tmp_path) or path)
    assert [(one.evidence, one.abstain) for one in golden.questions] == [
        (("2:1",), False),
        (("1:1",), False),
        ((), True),
    ]
    assert [turn.said_at for turn in golden.conversations[0].turns] == [
        datetime(2023, 5, 20, 2, 21),
        datetime(2023, 5, 21, 10, 0),
        datetime(2023, 5, 21, 10, 0, 30),
    ]


@pytest.mark.parametrize("load", [load_locomo, load_longmemeval])
@pytest.mark.parametrize("content", ["no json", '[{"sample_id": 1}]', "[1]"])
def test_a_file_of_another_form_is_one_clear_error(tmp_path: Path, load: Any, content: str) -> None:
    path = tmp_path / "set.json"
    path.write_text(content)
    with pytest.raises(TamisError, match="published form") as raised:
        load(path)
    assert raised.value.exit_code == USAGE


def test_an_absent_public_set_is_skipped_and_an_unknown_one_refused(tmp_path: Path) -> None:
    def ask(golden: str | None, **more: Any) -> Any:
        now = datetime(2026, 6, 1)
        return evaluate_set(golden, home=tmp_path, keeps=True, now=now, note=print, **more)

    assert ask("longmemeval") == "skipped: there is no file of longmemeval named"
    assert ask("locomo", data=tmp_path) == f"skipped: there is no file of locomo at {tmp_path}"
    (tmp_path / "locomo10.json").write_text(json.dumps([TALK]))
    for wrong in ({"golden": "no-set"}, {"golden": "locomo", "pollutions": ("no-knob",)}):
        with pytest.raises(TamisError) as raised:
            ask(**wrong, data=tmp_path)
        assert raised.value.exit_code == USAGE


def test_the_demos_golden_set_has_every_scenario_and_trap() -> None:
    questions = load_questions(GOLDEN)
    assert {one.category for one in questions} >= {
        *("personal context", "decision", "debug session", "korean policy", "noise"),
        *("relationships", "decisions", "unrelated", "subagent"),
        *("additive twins", "revert", "late correction", "short fact", "another speaker", "as of"),
        *("chinese", "spanish"),
    }
    assert sum(one.abstain for one in questions) >= 5
