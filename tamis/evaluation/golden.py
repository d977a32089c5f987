"""Golden questions as files: what is asked, what answers it, and what must not be answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tamis.errors import USAGE, TamisError
from tamis.moments import naive_utc

# The user's own, in the home.
QUESTIONS = "questions.jsonl"
FIELDS = {
    *("question", "project", "namespace", "expected", "evidence", "as_of", "forbidden"),
    *("abstain", "category", "conversation"),
}
LISTS = ("expected", "evidence", "forbidden")
NAMES = ("project", "namespace", "category", "conversation")


@dataclass(frozen=True)
class Question:
    """One question, and what a good answer holds.

    Attributes:
        question: the words that are searched for.
        project: the only project that is searched, beside the unknown one; None searches all.
        expected: the clean texts that answer it.
        evidence: ids that answer it: of events, of facts, or a source's own.
        namespace: the only memory that is searched; None searches all.
        as_of: a naive UTC time; the facts that held then answer, instead of the current ones.
        forbidden: clean texts that no answer may put above what is expected: stale, or another's.
        abstain: whether nothing answers it, so that a good memory stays silent.
        category: questions of one category are reported together.
        conversation: questions of one conversation are drawn together where intervals are drawn.
    """

    question: str
    project: str | None = None
    expected: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    namespace: str | None = None
    as_of: datetime | None = None
    forbidden: tuple[str, ...] = ()
    abstain: bool = False
    category: str = "all"
    conversation: str = ""


def load_questions(path: Path) -> list[Question]:
    """Read questions from JSON lines, one object each with the fields of `Question`.

    Raises:
        TamisError: the file can't be read, or a line of it is no question.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TamisError(
            f"can't read the questions {path}: name a file of JSON lines", USAGE
        ) from error
    return [
        read_question(line, f"{path}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def read_question(line: str, place: str) -> Question:
    """One question of a line; `place` names it in errors.

    Raises:
        TamisError: exit 2 where the line is no question.
    """
    try:
        row = json.loads(line)
        wrong = problem_of(row)
        asked_of = None if wrong else time_of(row.get("as_of"))
    except (ValueError, TypeError) as error:
        raise TamisError(
            f"{place} is no question: write one JSON object with a question and what is expected",
            USAGE,
        ) from error
    if wrong:
        raise TamisError(f"{place} is no question: {wrong}", USAGE)
    return Question(
        row["question"],
        row.get("project"),
        tuple(row.get("expected") or ()),
        tuple(row.get("evidence") or ()),
        row.get("namespace"),
        asked_of,
        tuple(row.get("forbidden") or ()),
        row.get("abstain", False),
        row.get("category") or "all",
        row.get("conversation") or "",
    )


def problem_of(row: Any) -> str:
    """Why a parsed line is no question; empty where it is one."""
    if not isinstance(row, Mapping):
        return "it is no JSON object"
    if unknown := sorted(row.keys() - FIELDS):
        return f"{unknown[0]!r} is none of {', '.join(sorted(FIELDS))}"
    asked = row.get("question")
    if not isinstance(asked, str) or not asked.strip():
        return "it needs a text to ask"
    for name in NAMES:
        if not isinstance(row.get(name), str | None):
            return f"{name} is a text or null"
    for name in LISTS:
        listed = row.get(name) or []
        if not isinstance(listed, list) or not all(isinstance(one, str) and one for one in listed):
            return f"{name} is a list of texts"
    abstains = row.get("abstain", False)
    if not isinstance(abstains, bool):
        return "abstain is true or false"
    answers = bool(row.get("expected") or row.get("evidence"))
    if abstains and answers:
        return "what must stay unanswered expects nothing"
    return "" if abstains or answers else "it needs expected texts or evidence ids, or abstain"


def time_of(told: Any) -> datetime | None:
    """A time as naive UTC.

    Raises:
        ValueError, TypeError: it is no ISO time.
    """
    return None if told is None else naive_utc(datetime.fromisoformat(told))
