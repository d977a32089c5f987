"""The memory that an agent is given: accepted, ranked, within a budget, and pinned by a manifest.

Accepted memory comes from the Memory Git history of the project; a project without one has its
current facts. After it come the summary and the last events of the session that asks. What was
given, and what was left out and why, is a manifest: the same question of the same memory has the
same manifest id, whenever it is asked.

- `request`: what may be asked, and what is refused.
- `asking`: who asks, by a session key or a session's id.
- `projects`: which project a name means, and which refs the asker may see.
- `accepted`: the accepted memory, ranked.
- `sessions`: the summary and the recent events of a session.
- `rendering`, `fitting`: the text, and how much of it the budget allows.
- `manifests`: what was given, stored once and never changed.
- `assembly`: all of that.
"""

from tamis.context.assembly import Context, assemble
from tamis.context.manifests import manifest, manifests
from tamis.context.request import DEFAULT_BUDGET, ContextError, ContextRequest

__all__ = [
    "DEFAULT_BUDGET",
    "Context",
    "ContextError",
    "ContextRequest",
    "assemble",
    "manifest",
    "manifests",
]
