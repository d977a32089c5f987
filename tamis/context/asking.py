"""Who asks: which session, in whose name, and whether anybody is there to be answered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tamis.context.marts import mart
from tamis.session_keys import is_non_interactive, is_subagent, named_agent, namespace_of, plain_key

COLUMNS = (
    "session_id",
    "session_key",
    "namespace",
    "agent_id",
    "is_subagent",
    "last_seen_at",
)


@dataclass(frozen=True)
class Asker:
    """A session that asks.

    Attributes:
        session_id: its canonical id; the given name where no captured session bears it, empty
            where none is given.
        agent: the named agent whose memory it reads; None for the user's own.
        namespace: that agent's or the user's.
        is_subagent: whether an agent started it; it reads the memory of that agent's namespace.
        is_machine: whether nobody is there: a timer, a heartbeat, a hook.
    """

    session_id: str
    agent: str | None
    namespace: str
    is_subagent: bool
    is_machine: bool


def asker(
    published: Path, user_id: str, session: str | None, only_of: tuple[str | None] | None = None
) -> Asker:
    """Who asks, by a session's key or its canonical id.

    A session of another user's is not known here, and a key that names an agent is only ever a
    session of that agent's. A session that timers spoke in too is still a person's: its key says
    what it is, and the trigger of the question what asks.

    Args:
        published: the folder of one published build.
        user_id: whose home this is.
        session: a session key, a canonical id, or nothing.
        only_of: the agent (None for the user) whose memory alone is read, whatever the session;
            without it, the session tells.
    """
    name = (session or "").strip()
    agent = named_agent(name) if only_of is None else only_of[0]
    namespace = namespace_of(user_id, agent)
    within = None if only_of is None else namespace
    row = captured_session(published, user_id, name, within) if name else None
    if row is None or (agent is not None and row["namespace"] != namespace):
        return Asker(name, agent, namespace, is_subagent(name), is_non_interactive(None, name))
    key = row["session_key"]
    return Asker(
        row["session_id"],
        row["agent_id"],
        row["namespace"],
        bool(row["is_subagent"]) or is_subagent(key),
        is_non_interactive(None, key),
    )


def captured_session(
    published: Path, user_id: str, name: str, within: str | None = None
) -> dict[str, Any] | None:
    """The newest captured session that bears the id, else the key: a user's, or a namespace's.

    A key is one of the agent that it names, or of the user; only an id leads to another agent.
    """
    sessions = mart(published, "sessions", COLUMNS)
    own = namespace_of(user_id, None)
    key = plain_key(name)
    found = (
        sessions.filter(
            (pl.col("namespace") == own) | pl.col("namespace").str.starts_with(f"{own}:agent:")
            if within is None
            else pl.col("namespace") == within
        )
        .with_columns(
            is_id=pl.col("session_id") == name,
            is_key=(pl.col("session_key").str.to_lowercase() == key)
            & (pl.col("namespace") == (within or namespace_of(user_id, named_agent(name)))),
        )
        .filter(pl.col("is_id") | pl.col("is_key"))
        .sort(
            ["is_id", "last_seen_at", "session_id", "namespace"],
            descending=[True, True, False, False],
            nulls_last=True,
        )
    )
    return found.row(0, named=True) if found.height else None
