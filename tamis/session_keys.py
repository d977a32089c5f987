"""Who asks, by a session key: the same answers as macros/text gives, a test holds them together."""

import re

MACHINE_TRIGGERS = frozenset(
    {
        *("cron", "heartbeat", "automation", "schedule", "hook"),
        *("memory", "memory_flush", "session_start"),
    }
)
_WHITE_SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_AGENT = re.compile(r"^:*agent:+([^:]+):+[^:]")
_OWNER = re.compile(r"^:*agent:+[^:]*(?::+|$)")
_CHAT = re.compile(r"(^|:)(direct|dm|group|channel|room|topic|thread):+[^:]+")
_STARTED_BY = re.compile(
    r"(^|:)(?:(?:cron|hook|automation|schedule):|(?:heartbeat|memory[_-]flush)(?::|$))"
)

_SUBAGENT = re.compile(r"(^|:)subagent:")


def is_non_interactive(trigger: str | None, session_key: str | None) -> bool:
    """Tell whether a machine asks: a cron job, a heartbeat, an automation, a schedule, a hook.

    The trigger's name decides, in any case; so does what the session key says beside the names
    of its agent and its chat: an agent may be called cron.
    """
    named = re.sub(r"[\s_-]+", "_", (trigger or "").strip(_WHITE_SPACE).lower())
    if named in MACHINE_TRIGGERS:
        return True
    return _STARTED_BY.search(_path(session_key)) is not None


def is_subagent(session_key: str | None) -> bool:
    """Tell whether an agent started the session, and no person."""
    return _SUBAGENT.search(_path(session_key)) is not None


def named_agent(session_key: str | None) -> str | None:
    """The named agent of an ``agent:<name>:…`` session key; None for the user's own sessions.

    A subagent's session belongs to the agent that started it, which the key names first.
    """
    found = _AGENT.match(plain_key(session_key))
    name = found[1].strip(_WHITE_SPACE) if found else ""
    return name if name not in ("", "main") else None


def namespace_of(user_id: str, agent: str | None) -> str:
    """Whose memory: the user's, or that of the user's named agent."""
    parts = [user_id, agent] if agent else [user_id]
    return ":agent:".join(map(namespace_part, parts))


def namespace_part(name: str) -> str:
    """A user or an agent as a namespace writes it: without the sign that parts the two."""
    return name.replace("%", "%25").replace(":", "%3A")


def plain_key(session_key: str | None) -> str:
    """A session key as it is compared: trimmed, in lower case."""
    return (session_key or "").strip(_WHITE_SPACE).lower()


def _path(session_key: str | None) -> str:
    """What a key says beside the names of its agent and its chat."""
    return _CHAT.sub(r"\1\2", _OWNER.sub("", plain_key(session_key)))
