"""A server on this machine, as agents meet it, and what to ask it with."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from command_line import run_tamis


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Why it refuses."""
        return self.json["code"]


@dataclass(frozen=True)
class Server:
    """A server that runs.

    Attributes:
        port: where it listens.
        process: the process.
        errors: the file that takes its stderr.
    """

    port: int
    process: "subprocess.Popen[str]"
    errors: Path

    @property
    def address(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        key: str | None = None,
        *,
        body: Any = None,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
        **parameters: Any,
    ) -> Reply:
        """Ask for a path; a body that is no bytes is sent as JSON."""
        sent = dict(headers or {})
        if key is not None:
            sent["Authorization"] = f"Bearer {key}"
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        target = path + (f"?{urlencode(parameters)}" if parameters else "")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method or ("GET" if data is None else "POST"), target, data, sent)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def context(self, project: str, key: str | None = None, **asked: Any) -> Reply:
        """Ask for the context of a project."""
        return self.ask(f"/api/memory/{quote(project, safe='')}/context", key, **asked)


@contextmanager
def running_server(
    home: Path, *options: str, end: signal.Signals = signal.SIGINT
) -> Iterator[Server]:
    """`tamis serve` on a free port, ended by a signal afterwards, which it must survive well."""
    errors = home.parent / f"{home.name}-server.txt"
    command = [sys.executable, "-m", "tamis", "--home", str(home), "serve", "--port", "0"]
    with errors.open("w") as stderr:
        process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=stderr, text=True, env=os.environ
        )
    try:
        yield Server(listening_port(process, errors), process, errors)
    finally:
        process.send_signal(end)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
    assert process.returncode == 0, errors.read_text()


def listening_port(process: "subprocess.Popen[str]", errors: Path) -> int:
    """The port that a server says it took, once it does."""
    for _ in range(600):
        found = re.search(r"listening on http://\S+:(\d+)", errors.read_text())
        if found:
            return int(found[1])
        if process.poll() is not None:
            break
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(f"the server did not start: {errors.read_text()}")


def new_key(home: Path, name: str, *options: str) -> str:
    """A key of `tamis keys add`."""
    done = run_tamis("--home", home, "keys", "add", name, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def audit(home: Path) -> list[dict[str, Any]]:
    """The audit, oldest call first."""
    done = run_tamis("--home", home, "--json", "keys", "audit", "--limit", 10_000)
    return json.loads(done.stdout)["calls"][::-1]
