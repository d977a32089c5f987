"""Where the API listens: on this machine, unless a person says otherwise."""

import ipaddress
import signal
import socket
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import FrameType

import uvicorn

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import Settings
from tamis.serve.application import application
from tamis.serve.contexts import Contexts
from tamis.serve.guard import Guard
from tamis.serve.journal import Journal, principals

MOST_CONNECTIONS = 100


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine only; a name other than localhost could be any."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    home: Path,
    settings: Settings,
    host: str,
    port: int,
    *,
    allows_remote: bool,
    clock: Callable[[], datetime],
    tell: Callable[[str], None],
) -> None:
    """Answer until a signal comes.

    Args:
        home: the home folder.
        settings: its settings.
        host, port: where to listen; port 0 takes a free one.
        allows_remote: whether other machines may ask.
        clock: tells the time, naive UTC.
        tell: takes lines for the person who started it.

    Raises:
        TamisError: exit 2 for an address beyond this machine that was not allowed; exit 3 where it
            can't be listened on.
    """
    if not is_loopback(host):
        if not allows_remote:
            raise TamisError(
                f"{host} can be reached from other machines, and keys would go there unencrypted:"
                " stay on 127.0.0.1 behind a proxy with TLS, or say --allow-remote",
                USAGE,
            )
        tell(f"warning: {host} is open to other machines, and keys travel unencrypted")
    listening = listener(host, port)
    journal = Journal(home)
    try:
        if not any(one["revoked_at"] is None for one in principals(home)):
            tell("nobody holds a key yet: make one with tamis keys add")
        address, bound = listening.getsockname()[:2]
        shown = f"[{address}]" if ":" in address else address
        tell(f"listening on http://{shown}:{bound}")
        guarded = application(Contexts(home, settings, clock), journal, clock, tell)
        run(guarded, listening)
    finally:
        listening.close()
        journal.close()


def run(guarded: Guard, listening: socket.socket) -> None:
    """Answer on a socket until Ctrl-C or a request to end, which both end it well."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # uvicorn ends its work first, and then raises the signal once more for who started it.
    before = signal.signal(signal.SIGTERM, stop)
    server = uvicorn.Server(
        uvicorn.Config(
            guarded,
            log_config=None,
            # Its lines would hold addresses with what was asked in them.
            access_log=False,
            server_header=False,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=5,
        )
    )
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def listener(host: str, port: int) -> socket.socket:
    """A socket that is bound before anything else is opened.

    Raises:
        TamisError: exit 3.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # Who asks before the server is up waits for it.
        listening.listen()
    except OSError as error:
        reason = error.strerror or error
        raise TamisError(f"can't listen on {host}:{port}: {reason}", ENVIRONMENT) from error
    return listening
