"""Conversations of a public golden set, before any capture is made of them."""

from dataclasses import dataclass
from datetime import datetime

from tamis.evaluation.golden import Question


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
