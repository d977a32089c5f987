"""What may be asked of the memory of a project, and how a question is refused."""

from dataclasses import dataclass
from typing import Literal

from tamis.errors import USAGE, TamisError
from tamis.home import USUAL_CONTEXT_BUDGET
from tamis.memory_git.records import SHARED_MAIN

DEFAULT_BUDGET = USUAL_CONTEXT_BUDGET
Kind = Literal[
    "unknown_project", "unknown_ref", "unreachable_head", "unusable_history", "bad_request"
]


class ContextError(TamisError):
    """A question that has no answer, in one line; `kind` says why to a program."""

    def __init__(self, kind: Kind, message: str, exit_code: int = USAGE) -> None:
        super().__init__(message, exit_code)
        self.kind: Kind = kind


@dataclass(frozen=True)
class ContextRequest:
    """One question.

    Attributes:
        project: a project's key or short name, or the id of a Memory Git project.
        query: what the memories are wanted for.
        ref: the ref whose history counts.
        head: an older head of the ref; its newest unless given.
        limit: how many memories are selected, at most 100; 0 means 20.
        budget: the most tokens that the rendered text may take; 0 means the setting.
        session_key: the session that asks, by its key or by its canonical id; the user's own
            sessions where it is None.
        trigger: what started that session.
        only_of: the agent (None for the user) whose memory alone is read, whatever the session
            key says; without it, the session key tells whose.
    """

    project: str
    query: str = ""
    ref: str = SHARED_MAIN
    head: str = ""
    limit: int = 0
    budget: int = 0
    session_key: str | None = None
    trigger: str | None = None
    only_of: tuple[str | None] | None = None
