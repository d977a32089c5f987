"""LoCoMo: long conversations of two people, with the turns that answer each question.

The categories' numbers are often mixed up: 1 is multi-hop, 2 temporal, 3 open-domain, 4 single-hop.
Category 5 asks one speaker for what the other one said; it is left out, as nearly everybody does.
The evidence is written by hand: `D8:6; D9:17`, `D9:1 D4:4`, `D:11:26` and `D30:05` are met.
"""

import re
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

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
NAMES = ("locomo10.json", "locomo_dev.json")
EVIDENCE = re.compile(r"D:?([0-9]+):([0-9]+)")
SESSION = re.compile(r"session_([0-9]+)")


def find_locomo(place: Path) -> Path | None:
    """LoCoMo's file: the place itself, or the first of its known names in the folder."""
    return find_file(place, NAMES)


def load_locomo(path: Path) -> GoldenSet:
    """Read the conversations and the questions whose evidence they hold.

    Raises:
        TamisError: exit 2 where the file is not LoCoMo's.
    """
    return load_set(path, "LoCoMo", read_sample)


def read_sample(sample: dict[str, Any]) -> tuple[Conversation, list[Question]]:
    """One conversation and its questions."""
    name, talk = str(sample["sample_id"]), sample["conversation"]
    numbers = sorted(int(found[1]) for key in talk if (found := SESSION.fullmatch(key)))
    turns = tuple(
        Turn(
            turn["dia_id"],
            f"session-{number}",
            "user" if turn["speaker"] == talk["speaker_a"] else "assistant",
            spoken(turn),
            read_time(talk[f"session_{number}_date_time"]) + position * SPOKEN_EVERY,
        )
        for number in numbers
        for position, turn in enumerate(talk[f"session_{number}"])
    )
    known = {turn.turn_id for turn in turns}
    questions = []
    for asked in sample["qa"]:
        evidence = tuple(one for one in evidence_of(asked["evidence"]) if one in known)
        category = CATEGORIES.get(asked["category"])
        if evidence and category:
            questions.append(
                Question(asked["question"], evidence=evidence, category=category, conversation=name)
            )
    return Conversation(name, turns), questions


def spoken(turn: dict[str, Any]) -> str:
    """What a turn says: who, the words, and what the shown picture is of."""
    picture = " ".join(str(turn.get("blip_caption") or "").split())
    words = " ".join(str(turn["text"]).split())
    return f"{turn['speaker']}: {words}" + (f" (shows a picture: {picture})" if picture else "")


def read_time(told: str) -> datetime:
    """`1:56 pm on 8 May, 2023` as a time."""
    return datetime.strptime(told.upper(), "%I:%M %p ON %d %B, %Y")


def evidence_of(listed: list[str]) -> list[str]:
    """The turn ids of a question, each once, whatever stands between them."""
    found = [
        f"D{int(session)}:{int(turn)}"
        for entry in listed
        for session, turn in EVIDENCE.findall(entry)
    ]
    return list(dict.fromkeys(found))
