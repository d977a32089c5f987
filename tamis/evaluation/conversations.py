"""Conversations of a public golden set, before any capture is made of them."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tamis.errors import USAGE, TamisError
from tamis.evaluation.golden import Question

# Between two turns of a session whose beginning alone is known.
SPOKEN_EVERY = timedelta(seconds=30)


@dataclass(frozen=True)
class Turn:
    """What one speaker said once.

    Attributes:
        turn_id: names the turn in its conversation.
        session: names the session in its conversation.
        role: user or assistant: whose words a capture takes them for.
        text: what was said, with the speaker's name where there are two people.
        said_at: naive UTC.
    """

    turn_id: str
    session: str
    role: str
    text: str
    said_at: datetime


@dataclass(frozen=True)
class Conversation:
    """The turns of a conversation, in order."""

    name: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class GoldenSet:
    """Conversations, and the questions about them: each names its conversation."""

    name: str
    conversations: tuple[Conversation, ...]
    questions: tuple[Question, ...]

    def of(self, names: set[str]) -> "GoldenSet":
        """The part that is about these conversations."""
        return GoldenSet(
            self.name,
            tuple(one for one in self.conversations if one.name in names),
            tuple(one for one in self.questions if one.conversation in names),
        )


def find_file(place: Path, names: Sequence[str]) -> Path | None:
    """A set's file: the place itself, or the first of its known names in the folder."""
    if place.is_file():
        return place
    return next((place / name for name in names if (place / name).is_file()), None)


def load_set(
    path: Path,
    title: str,
    read: Callable[[Any], tuple[Conversation, Iterable[Question]]],
) -> GoldenSet:
    """Read a file of conversations with their questions.

    Args:
        path: the file, a JSON list.
        title: what the set calls itself; its name is that in lower case.
        read: makes a conversation and its questions of an item of the list.

    Raises:
        TamisError: exit 2 where the file is not the set's.
    """
    try:
        made = [read(item) for item in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TamisError(f"{path} is not {title} in its published form", USAGE) from error
    return GoldenSet(
        title.lower(),
        tuple(conversation for conversation, _ in made),
        tuple(question for _, questions in made for question in questions),
    )
