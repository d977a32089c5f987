"""A server on this machine that answers like Lethe's API, and badly where a project asks for it."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from captures.lethe import answer

KEY = "key-of-the-garden"


class LetheServer(ThreadingHTTPServer):
    """The server; it remembers what it was asked and with which key.

    Attributes:
        asked: (path, Authorization header or None) of every request.
        elsewhere: the address that the project `moved` points to.
        failures: how many of the next requests are answered with 503.
    """

    daemon_threads = True

    def __init__(self) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None]] = []
        self.elsewhere = ""
        self.failures = 0

    @property
    def address(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: LetheServer

    def do_GET(self) -> None:
        """Answer for the project in the path."""
        self.server.asked.append((self.path, self.headers["Authorization"]))
        if self.server.failures:
            self.server.failures -= 1
            return self.reply(503, b"busy")
        if self.headers["Authorization"] != f"Bearer {KEY}":
            return self.reply(401, b'{"error":"unauthorized"}')
        project = unquote(urlsplit(self.path).path.split("/")[3])
        if project == "slow":
            time.sleep(1)
        if project in ("moved", "renamed"):
            base = self.server.elsewhere if project == "moved" else ""
            return self.reply(302, b"", Location=f"{base}/api/memory/garden/context?limit=100")
        if project == "cut":
            return self.reply(200, json.dumps(answer()).encode()[:50], length=5_000)
        bodies = {
            "garbage": b"<html>not found</html>",
            "number": b'{"memories":[{"memory_id":"m","confidence":1e999}]}',
            "list": b"[]",
            "nothing": b'{"project_id":"nothing","ref_name":"refs/shared/main","memories":null}',
            "strange": b'{"memories":["text"]}',
            "binary": b'{"memories":[],"x":"\xff"}',
            "a/b c": json.dumps({**answer(), "project_id": "a/b c"}).encode(),
            "garden": json.dumps(answer()).encode(),
            "slow": b"{}",
        }
        if project not in bodies:
            return self.reply(500 if project == "broken" else 404, b'{"error":"no"}')
        return self.reply(200, bodies[project])

    def reply(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        """Send one answer; a client that hung up is no trouble."""
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            pass

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def running_lethe() -> Iterator[LetheServer]:
    """A server that is stopped afterwards."""
    server = LetheServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
