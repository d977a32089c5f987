"""What stands around every request: the key, the limits, the audit."""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tamis.serve.journal import Call, Journal
from tamis.serve.principals import Principal
from tamis.serve.warnings import Warnings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# What tells nothing of anybody, and so needs no key and leaves no trace.
OPEN_PATHS = frozenset({"/health", "/openapi.json"})


@dataclass(frozen=True)
class Limits:
    """What one request may take.

    Attributes:
        body_bytes: the longest body.
        seconds: the longest that reading it, and then answering, may each take.
    """

    body_bytes: int = 256 * 1024
    seconds: float = 30.0


@dataclass
class Answer:
    """A whole answer, kept back until it is noted."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)

    async def take(self, message: Message) -> None:
        """Take a part of the answer as ASGI sends it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message.get("headers", []))
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")

    async def give(self, send: Send) -> None:
        """Send it on."""
        headers = [*self.headers, (b"cache-control", b"no-store")]
        start = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": bytes(self.body)})


def problem(status: int, code: str, error: str) -> Answer:
    """A refusal in the form of all refusals."""
    body = json.dumps({"error": error, "code": code}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return Answer(status, headers, bytearray(body))


class TooLarge(Exception):
    """A body is longer than the limit."""


class Guard:
    """An ASGI application around another one."""

    def __init__(
        self,
        application: Application,
        journal: Journal,
        clock: Callable[[], datetime],
        warnings: Warnings,
        limits: Limits | None = None,
    ) -> None:
        """Guard an application."""
        self._application = application
        self._journal = journal
        self._clock = clock
        self._warnings = warnings
        self._limits = limits or Limits()
        # A request that takes too long is left alone, and must not be collected while it runs.
        self._late: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            answer = await self._answer(scope, receive)
            await answer.give(send)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        call = Call("http", f"{scope['method']} {scope['path']}")
        is_open = scope["path"] in OPEN_PATHS
        try:
            principal = None if is_open else await self._holder(scope)
            if is_open or principal is not None:
                call.principal = principal.name if principal else None
                scope.setdefault("state", {}).update(principal=principal, call=call)
                answer = await self._bounded(scope, receive)
            else:
                answer = problem(401, "unauthorized", "a valid key is needed")
        except Exception as error:
            self._warnings.warn("failure", f"a request failed: {type(error).__name__}")
            answer = problem(500, "internal_error", "the request could not be answered")
        return answer if is_open else await self._noted(call, answer)

    async def _holder(self, scope: Scope) -> Principal | None:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(given) != 1:
            return None
        scheme, _, key = given[0].decode("latin-1").strip().partition(" ")
        if scheme.lower() != "bearer":
            return None
        return await asyncio.to_thread(self._journal.holder_of, key.strip())

    async def _bounded(self, scope: Scope, receive: Receive) -> Answer:
        try:
            async with asyncio.timeout(self._limits.seconds):
                body = await self._body(scope, receive)
        except TooLarge:
            most = f"a body has at most {self._limits.body_bytes} bytes"
            return problem(413, "too_large", most)
        except TimeoutError:
            return problem(408, "body_too_slow", "the body did not come in time")
        answer = Answer()
        is_read = False

        async def replay() -> Message:
            nonlocal is_read
            if is_read:
                return {"type": "http.disconnect"}
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def run() -> None:
            await self._application(scope, replay, answer.take)

        running = asyncio.create_task(run())
        done, _ = await asyncio.wait({running}, timeout=self._limits.seconds)
        if not done:
            self._late.add(running)
            running.add_done_callback(self._forget)
            return problem(503, "too_slow", "the answer took too long")
        running.result()
        return answer

    def _forget(self, task: "asyncio.Task[None]") -> None:
        self._late.discard(task)
        if not task.cancelled():
            task.exception()

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        body = bytearray()
        for name, value in scope["headers"]:
            if name == b"content-length" and int(value) > self._limits.body_bytes:
                raise TooLarge
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self._limits.body_bytes:
                raise TooLarge
            if not message.get("more_body"):
                return bytes(body)

    async def _noted(self, call: Call, answer: Answer) -> Answer:
        """The answer once it is in the audit: what can't be noted is not told."""
        call.status = answer.status
        if answer.status >= 400 and call.code is None:
            call.code = code_of(answer)
        if answer.status in (401, 403, 413) or answer.status >= 500:
            who = call.principal or "nobody known"
            self._warnings.warn(str(call.code), f"{answer.status} {call.code} for {who}")
        try:
            await asyncio.to_thread(self._journal.note, call, self._clock())
        except Exception as error:
            self._warnings.warn("audit", f"the audit can't be written: {type(error).__name__}")
            return problem(503, "not_audited", "the request could not be noted")
        return answer


def code_of(answer: Answer) -> str | None:
    """Why an answer refuses, where it says so."""
    try:
        return str(json.loads(bytes(answer.body))["code"])
    except (ValueError, KeyError, TypeError):
        return None
