"""LongMemEval in its published JSON form: every question has a haystack of sessions of its own.

A turn that holds the answer is marked `has_answer`; where no turn of an answering session is, all
of its turns count. The ids that end in `_abs` ask for what was never said.
"""

from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.evaluation.conversations import (
    SPOKEN_EVERY,
    Conversation,
    GoldenSet,
    Turn,
    find_file,
    load_set,
)
from tamis.evaluation.golden import Question

NAMES = (
    "longmemeval_s_cleaned.json",
    "longmemeval_s.json",
    "longmemeval_oracle.json",
    "longmemeval_m_cleaned.json",
    "longmemeval_m.json",
)


def find_longmemeval(place: Path) -> Path | None:
    """LongMemEval's file: the place itself, or the first of its known names in the folder."""
    return find_file(place, NAMES)


def load_longmemeval(path: Path) -> GoldenSet:
    """Read the haystacks and their questions.

    Raises:
        TamisError: exit 2 where the file is not LongMemEval's.
    """
    return load_set(path, "LongMemEval", read_item)


def read_item(item: dict[str, Any]) -> tuple[Conversation, list[Question]]:
    """One haystack and its question."""
    name, answering = str(item["question_id"]), set(item.get("answer_session_ids") or ())
    turns, evidence = [], []
    haystack = zip(
        item["haystack_session_ids"],
        item["haystack_dates"],
        item["haystack_sessions"],
        strict=True,
    )
    for number, (session, date, said) in enumerate(haystack, start=1):
        begun = read_time(date)
        ids = [f"{number}:{position}" for position in range(1, len(said) + 1)]
        turns += [
            Turn(
                turn_id,
                f"session-{number}",
                turn["role"],
                turn["content"].strip(),
                begun + position * SPOKEN_EVERY,
            )
            for position, (turn_id, turn) in enumerate(zip(ids, said, strict=True))
        ]
        if session in answering:
            marked = [one for one, turn in zip(ids, said, strict=True) if turn.get("has_answer")]
            evidence += marked or ids
    abstains = name.endswith("_abs") or not evidence
    asked = Question(
        item["question"],
        evidence=() if abstains else tuple(evidence),
        abstain=abstains,
        category=item["question_type"],
        conversation=name,
    )
    return Conversation(name, tuple(turns)), [asked]


def read_time(told: str) -> datetime:
    """`2023/05/20 (Sat) 02:21` as a time."""
    return datetime.strptime(told, "%Y/%m/%d (%a) %H:%M")
