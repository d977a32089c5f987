"""What a principal may see, decided before anything is looked up.

A refusal must not tell whether what was asked for exists. So a project that is unknown and one
that was not granted get the same answer, and so do a foreign ref that exists and one that does not.
"""

import re
from dataclasses import dataclass

from tamis.memory_git.records import SHARED, owner_of
from tamis.serve.principals import READ, Principal
from tamis.session_keys import named_agent

_REF = re.compile(r"refs(?:/[^/\s\x00-\x1f\x7f]+){2,}")


@dataclass(frozen=True)
class Reason:
    """Why a request is not answered: nothing in it depends on what there is."""

    status: int
    code: str
    message: str


class Refusal(Exception):
    """A request that is not answered."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.code)
        self.reason = reason


UNKNOWN_PROJECT = Reason(
    404, "unknown_project", "no such project, or nothing was granted to you for it"
)
UNKNOWN_MANIFEST = Reason(404, "unknown_manifest", "no such manifest, or it is not yours to read")
FOREIGN_REF = Reason(403, "foreign_ref", "a ref is yours where it is shared or bears your name")
FOREIGN_SESSION = Reason(403, "foreign_session", "the session key names another agent than yours")
MISSING_READ = Reason(403, "missing_permission", f"{READ} was not granted to you for the project")
MISSING_PIN = Reason(
    403,
    "missing_permission",
    "a manifest is stored for who was granted memory.commit or memory.write for this one project",
)
NOTHING_PINNED = Reason(409, "nothing_pinned", "a machine gets no memory, and so no manifest")


def check_read(principal: Principal, project: str) -> None:
    """Let a principal read a project's memory.

    Raises:
        Refusal: the project is none of its own, or reading was not granted.
    """
    if not principal.knows(project):
        raise Refusal(UNKNOWN_PROJECT)
    if not principal.may(READ, project):
        raise Refusal(MISSING_READ)


def sees_ref(principal: Principal, ref: str) -> bool:
    """Whether a ref is shared, or of the principal's own agent."""
    parts = ref.split("/")
    if not _REF.fullmatch(ref) or "." in parts or ".." in parts:
        return False
    if ref.startswith(SHARED):
        return True
    return principal.agent is not None and owner_of(ref) == principal.agent


def check_ref(principal: Principal, ref: str) -> None:
    """Let a principal name a ref.

    Raises:
        Refusal: the ref is neither shared nor its own.
    """
    if not sees_ref(principal, ref):
        raise Refusal(FOREIGN_REF)


def check_session(principal: Principal, session_key: str | None) -> None:
    """Let a principal speak for a session.

    An id names no agent: whose session it is, the assembly looks up (see `ContextRequest.agent`).

    Raises:
        Refusal: the key names another agent.
    """
    if session_key and named_agent(session_key) not in (None, principal.session_agent):
        raise Refusal(FOREIGN_SESSION)
