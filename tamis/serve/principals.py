"""Who may ask, and for what.

A key is 256 random bits, so that one round of SHA-256 hides it as well as a slow hash would.
"""

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from tamis.errors import USAGE, TamisError

READ = "memory.read"
COMMIT = "memory.commit"
WRITE = "memory.write"
PERMISSIONS = (READ, COMMIT, WRITE)
EVERY_PROJECT = "*"
KEY_PREFIX = "tamis_"
KEY = re.compile(rf"{KEY_PREFIX}[A-Za-z0-9_-]{{43}}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class Grant:
    """What a principal may do in a project; the project `*` stands for every one."""

    project: str
    permissions: frozenset[str]


@dataclass(frozen=True)
class Principal:
    """Somebody who holds a key.

    Attributes:
        name: as the audit tells it.
        agent: the named agent whose refs are its own, as refs write it; None for the user.
        grants: one for each project.
    """

    name: str
    agent: str | None
    grants: tuple[Grant, ...]

    @property
    def session_agent(self) -> str | None:
        """The agent as session keys and namespaces write it."""
        return self.agent and self.agent.lower()

    def may(self, permission: str, project: str) -> bool:
        """Whether a permission was granted for a project, by its name or for every one."""
        return any(
            permission in grant.permissions
            for grant in self.grants
            if grant.project in (project, EVERY_PROJECT)
        )

    def knows(self, project: str) -> bool:
        """Whether anything at all was granted for a project."""
        return any(grant.project in (project, EVERY_PROJECT) for grant in self.grants)

    def pins(self, project: str) -> bool:
        """Whether its contexts of a project are stored: a grant for every project is not enough."""
        return any(
            grant.permissions & {COMMIT, WRITE}
            for grant in self.grants
            if grant.project == project != EVERY_PROJECT
        )


def new_key() -> str:
    """A key that nobody can guess."""
    return KEY_PREFIX + secrets.token_urlsafe(32)


def hashed(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def checked_name(name: str, what: str) -> str:
    """A name that can stand in a ref and a report.

    Raises:
        TamisError: exit 2.
    """
    if not _NAME.fullmatch(name):
        raise TamisError(
            f"{name!r} is no name for {what}: use up to 64 letters, digits, dots, dashes and"
            " underlines",
            USAGE,
        )
    return name


def checked_agent(name: str | None) -> str | None:
    """An agent's name; None for the user's own.

    Raises:
        TamisError: exit 2 for what is no name, and for `main`, which is the user's own agent.
    """
    if name is None:
        return None
    if checked_name(name, "an agent").lower() == "main":
        raise TamisError("main is the user's own agent: leave --agent out", USAGE)
    return name


def grant_of(text: str) -> Grant:
    """A grant as it is written on the command line: `PROJECT=PERMISSION,PERMISSION`.

    Raises:
        TamisError: exit 2.
    """
    project, _, named = text.rpartition("=")
    permissions = frozenset(one.strip() for one in named.split(","))
    unknown = sorted(permissions - set(PERMISSIONS))
    if not project.strip() or unknown:
        raise TamisError(
            f"{text!r} is no grant: write PROJECT={READ} or {EVERY_PROJECT}={READ}, with any of"
            f" {', '.join(PERMISSIONS)} behind it",
            USAGE,
        )
    return Grant(project.strip(), permissions)


def grants_of(texts: Iterable[str]) -> tuple[Grant, ...]:
    """Several grants; those of one project are one."""
    merged: dict[str, frozenset[str]] = {}
    for grant in map(grant_of, texts):
        merged[grant.project] = merged.get(grant.project, frozenset()) | grant.permissions
    return tuple(Grant(project, merged[project]) for project in sorted(merged))
