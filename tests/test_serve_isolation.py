"""Whatever is combined in a request, nobody reads what is not theirs, and every call is noted."""

import asyncio
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from garden import (
    DIGGER_BRANCH,
    DIGGER_FACT,
    DIGGER_NOISE,
    DIGGER_REF,
    EVENTS,
    IDS,
    ORCHARD,
    OWN_FACT,
    OWN_NOISE,
    SESSIONS,
    SOWER_BRANCH,
    SOWER_FACT,
    SOWER_REF,
    publish_garden,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.server.mcpserver.exceptions import ToolError

from tamis.home import Settings
from tamis.serve.application import application
from tamis.serve.contexts import Contexts
from tamis.serve.guard import Guard
from tamis.serve.journal import Journal, add_principal, audit
from tamis.serve.principals import grants_of
from tamis.serve.tools import Tools, asker

NOW = datetime(2026, 3, 7)
# What each key may see of all that is kept apart; its name tells who holds it.
OWN_WORDS = {
    "user": {OWN_FACT, ORCHARD, OWN_NOISE},
    "sower": {SOWER_BRANCH, SOWER_FACT},
    "digger": {DIGGER_BRANCH, DIGGER_FACT, DIGGER_NOISE},
    "stranger": set(),
    "nobody": set(),
}
ALL_WORDS = set().union(*OWN_WORDS.values())
GRANTS = {
    "user": (None, ["*=memory.read,memory.write"]),
    "sower": ("sower", ["garden=memory.read,memory.commit"]),
    "digger": ("digger", ["garden=memory.read,memory.commit"]),
    "stranger": (None, ["elsewhere=memory.read,memory.commit,memory.write"]),
}
PLAIN = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMED = [
    *("garden", "orchard", "shed", "github.com/nobody/shed", "*", "", "..", "elsewhere"),
    *("refs/shared/main", SOWER_REF, DIGGER_REF, "refs/sessions/digger/1", "refs/agents/../x"),
    *("refs/shared/../agents/digger/main", "refs/topics/digger/x", "main", "sown", "dug", "root"),
    *("apple", *SESSIONS.values(), "agent:digger:main", "agent:sower:main", "agent:main:main"),
    *("AGENT:Digger:main", "agent:digger:subagent:1", "subagent:1", "digger", "sower", "default"),
    *("default:agent:digger", *IDS.values(), *EVENTS.values(), *ALL_WORDS, "cron", "user"),
]
ANY = st.one_of(st.sampled_from(NAMED), PLAIN)
PARAMETERS = [
    *("ref", "ref_name", "head", "head_changeset_id", "query", "session_id", "session_key"),
    *("trigger", "actor_id", "project", "project_id", "namespace", "agent", "agent_id", "user_id"),
    *("before", "manifest_id", "principal"),
]
ASKED = st.dictionaries(st.sampled_from(PARAMETERS), ANY, max_size=6)


class Service:
    """The API in this process, with a key for each."""

    def __init__(self, home: Path) -> None:
        publish_garden(home)
        self.home = home
        self.keys = {
            name: add_principal(home, name, agent, grants_of(grants), NOW)
            for name, (agent, grants) in GRANTS.items()
        } | {"nobody": "tamis_" + "x" * 43}
        self.journal = Journal(home)
        self.contexts = Contexts(home, Settings(), lambda: NOW)
        self.guard: Guard = application(self.contexts, self.journal, lambda: NOW, lambda line: None)
        self.loop = asyncio.new_event_loop()

    def close(self) -> None:
        """Close what is open."""
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        self.journal.close()

    def ask(self, who: str, method: str, path: str, asked: dict[str, Any]) -> tuple[int, str]:
        """Ask as somebody, with everything in the address and in the body."""
        sent: list[dict[str, Any]] = []
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": quote(path).encode(),
            "root_path": "",
            "query_string": urlencode(asked).encode(),
            "headers": [
                (b"authorization", f"Bearer {self.keys[who]}".encode()),
                (b"content-type", b"application/json"),
            ],
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "scheme": "http",
            "http_version": "1.1",
        }
        body = json.dumps(asked).encode() if method == "POST" else b""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.guard(scope, receive, send))
        return sent[0]["status"], sent[1]["body"].decode()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("isolation") / "home")
    yield made
    made.close()


RELAXED = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def words_in(text: str, asked: dict[str, Any], path: str = "") -> set[str]:
    """The words of others in an answer, without those that the asker said."""
    said = json.dumps(asked) + path
    return {word for word in ALL_WORDS if word in text and word not in said}


@RELAXED
@given(who=st.sampled_from(list(OWN_WORDS)), project=ANY, asked=ASKED, pins=st.booleans())
def test_no_request_for_a_context_reaches_anothers_memory(
    service: Service, who: str, project: str, asked: dict[str, Any], pins: bool
) -> None:
    asked = {**asked, "limit": 100, "create_manifest": pins}
    path = f"/api/memory/{project}/context"
    for method in ("GET", "POST"):
        status, answer = service.ask(who, method, path, asked)
        assert words_in(answer, asked, path) <= OWN_WORDS[who]
        assert status < 500
        if who == "nobody":
            assert status == 401
        if who == "stranger" and status == 200:
            assert project == "elsewhere"
        (call,) = audit(service.home, 1)
        assert call["status"] == status
        assert call["principal"] == (None if who == "nobody" else who)


@RELAXED
@given(who=st.sampled_from(list(OWN_WORDS)), asked=ASKED, name=ANY)
def test_no_request_for_a_manifest_reaches_anothers(
    service: Service, who: str, asked: dict[str, Any], name: str
) -> None:
    pinned = {
        keeper: json.loads(
            service.ask(keeper, "POST", "/api/memory/manifests", {"project_id": "garden"})[1]
        )["manifest_id"]
        for keeper in ("sower", "digger")
    }
    for path in ("/api/memory/manifests", f"/api/memory/manifests/{name}"):
        for method in ("GET", "POST"):
            status, answer = service.ask(who, method, path, {"project": "garden", **asked})
            assert status < 500
            assert words_in(answer, asked, path) <= OWN_WORDS[who]
            for keeper, manifest_id in pinned.items():
                assert keeper == who or manifest_id not in answer
    for keeper, manifest_id in pinned.items():
        status, _ = service.ask(who, "GET", f"/api/memory/manifests/{manifest_id}", asked)
        assert (status == 200) == (keeper == who)


@RELAXED
@given(
    agent=st.sampled_from([None, "sower", "digger"]),
    tool=st.sampled_from(["recall", "context", "why"]),
    asked=st.dictionaries(
        st.sampled_from(["project", "ref", "head", "session_key", "trigger"]), ANY, max_size=5
    ),
    words=ANY,
)
def test_no_call_of_a_tool_reaches_anothers_memory(
    service: Service, agent: str | None, tool: str, asked: dict[str, Any], words: str
) -> None:
    tools = Tools(service.contexts, service.journal, asker(agent, pins=True), lambda: NOW)
    try:
        if tool == "why":
            told: Any = tools.why(words)
        elif tool == "context":
            told = tools.context(**{"project": "garden", **asked}, query=words)
        else:
            known = {name: asked[name] for name in ("project", "session_key") if name in asked}
            told = tools.recall(f"{words} fact words", **known)
    except ToolError as error:
        told = str(error)
    # Projects are not told apart by who the user starts a server for, only whose memory is.
    allowed = OWN_WORDS[agent or "user"] | {ORCHARD}
    assert words_in(json.dumps(told), asked, words) <= allowed
    (call,) = audit(service.home, 1)
    assert (call["surface"], call["action"], call["principal"]) == ("mcp", tool, agent or "user")


def test_each_reads_its_own(service: Service) -> None:
    # Else the properties above would hold of a service that tells nothing.
    path = "/api/memory/garden/context"
    for who, ref, word in (
        ("sower", SOWER_REF, SOWER_BRANCH),
        ("digger", DIGGER_REF, DIGGER_BRANCH),
    ):
        assert word in service.ask(who, "GET", path, {"ref": ref})[1]
    for who, word in (("user", OWN_FACT), ("sower", SOWER_FACT), ("digger", DIGGER_FACT)):
        assert word in service.ask(who, "GET", path, {"session_id": SESSIONS[word]})[1]
        agent = None if who == "user" else who
        tools = Tools(service.contexts, service.journal, asker(agent, pins=False), lambda: NOW)
        assert [one["text"] for one in tools.recall("fact words")["facts"]] == [word]
        assert tools.why(IDS[word])["fact"]["text"] == word
        assert tools.why(EVENTS[word])["fact"]["text"] == word
    assert ORCHARD in service.ask("user", "GET", "/api/memory/orchard/context", {})[1]
