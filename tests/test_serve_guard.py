"""What stands around every request: limits, failures, warnings, and the audit that must hold."""

import asyncio
import json
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tamis.serve.guard import Guard, Limits
from tamis.serve.journal import Journal, add_principal, audit
from tamis.serve.principals import grants_of
from tamis.serve.warnings import Warnings

NOW = datetime(2026, 3, 7)
SECRET = "words-of-a-memory"


class Place:
    """A guard around an application that misbehaves as it is told."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.key = add_principal(home, "reader", None, grants_of(["*=memory.read"]), NOW)
        self.journal = Journal(home)
        self.lines: list[str] = []
        self.now = NOW
        self.warnings = Warnings(self.lines.append, lambda: self.now)

    def ask(
        self, behaviour: str = "", chunks: list[bytes] | None = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Ask once."""
        guard = Guard(
            self.application,
            self.journal,
            lambda: self.now,
            self.warnings,
            Limits(body_bytes=100, seconds=0.3),
        )
        sent: list[dict[str, Any]] = []
        parts = list(chunks if chunks is not None else [b""])
        given = {"authorization": f"Bearer {self.key}", **headers}
        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/api/{behaviour}",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        }

        async def receive() -> dict[str, Any]:
            if not parts:
                await asyncio.sleep(60)
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message: Any) -> None:
            sent.append(message)

        async def main() -> None:
            await guard(scope, receive, send)

        asyncio.run(main())
        return sent[0]["status"], json.loads(sent[1]["body"] or b"{}")

    async def application(self, scope: Any, receive: Any, send: Any) -> None:
        """What is guarded."""
        behaviour = scope["path"].removeprefix("/api/")
        if behaviour == "fails":
            raise RuntimeError(SECRET)
        if behaviour == "fails-late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            raise RuntimeError(SECRET)
        if behaviour == "sleeps":
            await asyncio.to_thread(time.sleep, 1)
        if behaviour == "breaks-the-audit":
            self.journal.close()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps({"told": SECRET}).encode()})


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "home")
    yield made
    made.journal.close()


def test_a_good_request_goes_through(place: Place) -> None:
    assert place.ask() == (200, {"told": SECRET})
    assert audit(place.home)[0]["status"] == 200
    assert place.lines == []


@pytest.mark.parametrize("behaviour", ["fails", "fails-late"])
def test_a_failure_tells_nothing_of_itself(place: Place, behaviour: str) -> None:
    status, told = place.ask(behaviour)
    assert (status, told["code"]) == (500, "internal_error")
    assert SECRET not in json.dumps(told) + "".join(place.lines)
    assert "RuntimeError" in place.lines[0]
    assert audit(place.home)[0]["status"] == 500


def test_a_long_body_is_refused_whether_it_says_its_length_or_not(place: Place) -> None:
    assert place.ask(**{"content-length": "101"})[0] == 413
    assert place.ask(chunks=[b"x" * 60, b"x" * 60])[0] == 413
    assert place.ask(chunks=[b"x" * 60, b"x" * 40])[0] == 200


def test_a_body_that_does_not_end_is_not_waited_for(place: Place) -> None:
    status, told = place.ask(chunks=[])
    assert (status, told["code"]) == (408, "body_too_slow")


def test_an_answer_that_takes_too_long_is_given_up(place: Place) -> None:
    status, told = place.ask("sleeps")
    assert (status, told["code"]) == (503, "too_slow")


def test_what_can_not_be_noted_is_not_told(place: Place) -> None:
    status, told = place.ask("breaks-the-audit")
    assert (status, told["code"]) == (503, "not_audited")
    assert SECRET not in json.dumps(told)
    assert "audit" in place.lines[0]


def test_a_list_of_keys_is_no_key(place: Place) -> None:
    assert place.ask(authorization="Bearer nothing")[0] == 401
    assert place.ask(authorization=f"Bearer {place.key}, Bearer x")[0] == 401


def test_a_flood_of_wrong_keys_is_one_warning_a_minute(place: Place) -> None:
    for _ in range(5):
        place.ask(authorization="Bearer wrong")
    assert place.lines == ["401 unauthorized for nobody known"]
    place.ask("fails")
    assert len(place.lines) == 3
    place.now += timedelta(minutes=1)
    place.ask(authorization="Bearer wrong")
    assert place.lines[-1] == "401 unauthorized for nobody known (4 more like it)"
    assert len(audit(place.home)) == 7
