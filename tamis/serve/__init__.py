"""Answers agents: accepted memory over HTTP, and recall, context and why over MCP.

Both read the published build only. Who asks over HTTP has a key; what the key was granted decides
what is shown, and every call is noted in the ledger before its answer goes out.

- `principals`: who holds a key, and what was granted to them.
- `policy`: which project, ref, session and manifest a principal may see.
- `journal`: principals and the audit, in the ledger.
- `shapes`: what requests and answers look like.
- `guard`: keys, limits and the audit around every request.
- `application`: the HTTP API.
- `server`: where it listens.
- `tools`: the MCP server.
"""

from importlib.util import find_spec

from tamis.errors import TamisError


def require_extra() -> None:
    """Say in one line what is missing where the extra is not installed.

    Raises:
        TamisError: exit 3.
    """
    missing = [name for name in ("fastapi", "mcp", "uvicorn") if find_spec(name) is None]
    if missing:
        raise TamisError(
            f"serving needs {', '.join(missing)}: install them with pip install 'tamis[serve]'"
        )
