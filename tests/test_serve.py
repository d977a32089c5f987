"""The HTTP API as agents meet it: what it tells, what it refuses, and what the audit keeps."""

import json
import os
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import run_tamis
from garden import DIGGER_REF, OWN_FACT, SESSIONS, SHARED, SOWER_BRANCH, SOWER_REF, publish_garden
from serving import Reply, Server, audit, new_key, running_server


@dataclass(frozen=True)
class Garden:
    """A server of the garden, and the keys of those who may ask it."""

    home: Path
    server: Server
    keys: dict[str, str]

    def context(self, who: str, project: str = "garden", **asked: Any) -> Reply:
        """Ask as somebody."""
        return self.server.context(project, self.keys.get(who, who), **asked)

    def last_call(self) -> dict[str, Any]:
        """The audit's last row."""
        return audit(self.home)[-1]


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    home = tmp_path_factory.mktemp("serve") / "home"
    publish_garden(home)
    keys = {
        "reader": new_key(home, "reader", "--grant", "*=memory.read"),
        "sower": new_key(
            home, "sower", "--agent", "sower", "--grant", "garden=memory.read,memory.commit"
        ),
        "digger": new_key(home, "digger", "--agent", "digger", "--grant", "garden=memory.read"),
        "writer": new_key(home, "writer", "--grant", "*=memory.read,memory.write"),
        "blind": new_key(home, "blind", "--grant", "garden=memory.write"),
    }
    with running_server(home) as server:
        yield Garden(home, server, keys)


def test_a_reader_gets_the_accepted_memory_in_lethes_shape(garden: Garden) -> None:
    reply = garden.context("reader", query="tomatoes")
    assert reply.status == 200
    told = reply.json
    assert [one["content"] for one in told["memories"]] == [SHARED["bed"], SHARED["water"]]
    assert told["project_id"] == "garden"
    assert told["ref_name"] == "refs/shared/main"
    assert told["head_changeset_id"] == "main"
    assert told["projection_version"] == "memory-context/v1"
    assert told["unresolved_conflicts"] == []
    assert SHARED["water"] in told["text"]
    assert reply.headers["cache-control"] == "no-store"
    assert "server" not in {name.lower() for name in reply.headers}


def test_an_older_head_is_told_where_the_ref_reaches_it(garden: Garden) -> None:
    told = garden.context("reader", head="root").json
    assert [one["content"] for one in told["memories"]] == [SHARED["water"]]
    assert told["head_changeset_id"] == "root"


def test_the_same_question_gets_the_same_bytes_and_get_stores_nothing(garden: Garden) -> None:
    first, second = (garden.context("sower", query="water") for _ in range(2))
    assert first.body == second.body
    assert first.json["manifest_stored"] is False
    path = f"/api/memory/manifests/{first.json['manifest_id']}"
    assert garden.server.ask(path, garden.keys["sower"]).status == 404


def test_a_manifest_is_stored_for_an_exact_grant_and_not_for_a_reader_of_everything(
    garden: Garden,
) -> None:
    asked = {"query": "who pins", "create_manifest": True}
    for wildcard in ("reader", "writer"):
        projected = garden.context(wildcard, body=asked).json
        assert projected["manifest_stored"] is False
        path = f"/api/memory/manifests/{projected['manifest_id']}"
        assert garden.server.ask(path, garden.keys[wildcard]).status == 404
    pinned = garden.context("sower", body=asked).json
    assert pinned["manifest_stored"] is True
    path = f"/api/memory/manifests/{pinned['manifest_id']}"
    stored = garden.server.ask(path, garden.keys["sower"])
    assert stored.json["selected_memory_ids"] == [m["memory_id"] for m in pinned["memories"]]
    # Another agent with a grant for the same project does not read what this one was given.
    for other in ("digger", "reader"):
        refused = garden.server.ask(path, garden.keys[other])
        assert (refused.status, refused.code) == (404, "unknown_manifest")
    again = garden.context("sower", body=asked).json
    assert again["manifest_id"] == pinned["manifest_id"]


def test_manifests_are_listed_by_project_and_pinned_by_a_request_of_their_own(
    garden: Garden,
) -> None:
    key = garden.keys["sower"]
    path = "/api/memory/manifests"
    made = [
        garden.server.ask(path, key, body={"project_id": "garden", "query": f"number {number}"})
        for number in range(3)
    ]
    assert [one.status for one in made] == [201] * 3
    ids = [one.json["manifest_id"] for one in made]
    stored = garden.server.ask(f"{path}/{ids[0]}", key).json
    assert {**made[0].json, "created_at": stored["created_at"]} == stored
    listed = garden.server.ask(path, key, project="garden", limit=2).json["manifests"]
    assert [one["manifest_id"] for one in listed] == ids[:0:-1]
    older = garden.server.ask(path, key, project="garden", limit=1, before=ids[1]).json
    assert [one["manifest_id"] for one in older["manifests"]] == ids[:1]
    assert garden.server.ask(path, garden.keys["digger"], project="garden").json == {
        "manifests": []
    }
    unpinned = garden.server.ask(path, garden.keys["writer"], body={"project_id": "garden"})
    assert (unpinned.status, unpinned.code) == (403, "missing_permission")
    unknown = garden.server.ask(path, key, project="garden", before="nothing")
    assert (unknown.status, unknown.code) == (404, "unknown_manifest")


@pytest.mark.parametrize(
    "header",
    ["Bearer wrong", "Bearer ", "Bearer", "Basic {key}", "{key}", "bearer {key}x", "Bearer é"],
)
def test_a_wrong_key_is_refused_whatever_it_asks_for(garden: Garden, header: str) -> None:
    sent = {"Authorization": header.format(key=garden.keys["reader"])}
    for path in ("/api/memory/garden/context", "/api/memory/nowhere/context", "/nothing"):
        reply = garden.server.ask(path, headers=sent)
        assert (reply.status, reply.code) == (401, "unauthorized")
        assert reply.headers["www-authenticate"] == "Bearer"
        call = garden.last_call()
        assert (call["status"], call["principal"], call["code"]) == (401, None, "unauthorized")
        assert call["action"] == f"GET {path}"


def test_an_unknown_project_looks_like_one_that_was_not_granted(garden: Garden) -> None:
    ungranted = garden.context("sower", "orchard")
    unknown = garden.context("sower", "nowhere")
    nobodys = garden.context("reader", "nowhere")
    assert ungranted.status == 404
    assert ungranted.code == "unknown_project"
    assert ungranted.body == unknown.body == nobodys.body
    assert garden.context("reader", "orchard").status == 200
    lists = [
        garden.server.ask("/api/memory/manifests", garden.keys["sower"], project=project)
        for project in ("orchard", "nowhere")
    ]
    assert [one.body for one in lists] == [unknown.body] * 2


def test_reading_needs_memory_read(garden: Garden) -> None:
    reply = garden.context("blind")
    assert (reply.status, reply.code) == (403, "missing_permission")
    assert garden.last_call()["principal"] == "blind"


def test_a_head_that_the_ref_does_not_reach_is_refused_as_one_that_is_not_there(
    garden: Garden,
) -> None:
    unmerged, unknown = (garden.context("reader", head=head) for head in ("sown", "nothing"))
    assert (unmerged.status, unmerged.code) == (409, "unreachable_head")
    assert unmerged.body == unknown.body
    call = garden.last_call()
    assert (call["head"], call["status"], call["code"]) == ("nothing", 409, "unreachable_head")


def test_a_foreign_ref_is_refused_as_one_that_is_not_there(garden: Garden) -> None:
    for who in ("reader", "sower"):
        foreign = garden.context(who, ref=DIGGER_REF)
        absent = garden.context(who, ref="refs/agents/nobody/main")
        assert (foreign.status, foreign.code) == (403, "foreign_ref")
        assert foreign.body == absent.body
        assert garden.last_call()["ref"] == "refs/agents/nobody/main"
    own = garden.context("sower", ref=SOWER_REF).json
    assert SOWER_BRANCH in [one["content"] for one in own["memories"]]
    assert garden.context("sower", ref="refs/agents/sower/../digger/main").code == "foreign_ref"
    assert garden.context("reader", ref="refs/shared/nothing").code == "unknown_ref"


def test_a_session_of_another_is_not_spoken_for(garden: Garden) -> None:
    named = garden.context("sower", session_id="agent:digger:main")
    assert (named.status, named.code) == (403, "foreign_session")
    # An id names nobody: another's session is as unknown as one that never was.
    foreign = garden.context("sower", session_id="digger-session").json
    unknown = garden.context("sower", session_id="absent-session").json
    assert foreign["items"] == unknown["items"]
    assert foreign["text"] == unknown["text"]
    own = garden.context("sower", session_id="agent:sower:main").json
    assert own["session_id"] == "sower-session"
    assert "sower-fact-words" in own["text"]
    assert OWN_FACT in garden.context("reader", session_id=SESSIONS[OWN_FACT]).json["text"]


@pytest.mark.parametrize(
    "asked",
    [
        {"trigger": "cron"},
        {"trigger": "heartbeat"},
        {"trigger": "automation"},
        {"trigger": "schedule"},
        {"session_id": "agent:sower:cron:nightly"},
        {"session_id": "agent:sower:main:heartbeat"},
    ],
)
def test_a_machine_gets_nothing(garden: Garden, asked: dict[str, str]) -> None:
    told = garden.context("sower", body={**asked, "create_manifest": True}).json
    assert told["memories"] == told["items"] == []
    assert told["text"] == ""
    assert told["manifest_id"] is None
    assert told["manifest_stored"] is False
    pinned = garden.server.ask(
        "/api/memory/manifests", garden.keys["sower"], body={"project_id": "garden", **asked}
    )
    assert (pinned.status, pinned.code) == (409, "nothing_pinned")


def test_wrong_requests_are_told_where_and_not_what(garden: Garden) -> None:
    key = garden.keys["reader"]
    path = "/api/memory/garden/context"
    secret = "words-of-mine"
    wrong = garden.server.ask(path, key, limit=secret)
    assert (wrong.status, wrong.code, wrong.json["fields"]) == (422, "invalid", ["query.limit"])
    torn = garden.server.ask(path, key, body=b'{"query": "' + secret.encode())
    assert (torn.status, torn.code) == (422, "invalid")
    lone = garden.server.ask(path, key, body=b'{"query": "\\ud800"}')
    assert lone.status == 422
    large = garden.server.ask(path, key, body=b'"' + b"x" * 300_000 + b'"')
    assert (large.status, large.code) == (413, "too_large")
    assert garden.server.ask(path, key, method="DELETE").code == "wrong_method"
    assert garden.server.ask("/api/memory", key).code == "unknown_route"
    for reply in (wrong, torn, lone, large):
        assert secret.encode() not in reply.body


def test_health_and_the_document_need_no_key_and_leave_no_trace(garden: Garden) -> None:
    before = len(audit(garden.home))
    assert garden.server.ask("/health").json == {"status": "ok"}
    document = garden.server.ask("/openapi.json").json
    assert "/api/memory/{project}/context" in document["paths"]
    assert len(audit(garden.home)) == before


def test_every_call_is_noted_once_and_no_key_query_or_memory_is_kept(garden: Garden) -> None:
    before = len(audit(garden.home))
    garden.context("reader", query="query-of-mine")
    garden.context("reader", garden.keys["reader"])
    garden.context("reader", "long" * 60)
    calls = audit(garden.home)[before:]
    assert [one["status"] for one in calls] == [200, 404, 404]
    assert calls[0]["head"] == "main"
    assert calls[0]["manifest_id"]
    assert calls[1]["project"] == "[key]"
    assert len(calls[2]["project"]) == 200
    ledger = b"".join(path.read_bytes() for path in garden.home.glob("state.sqlite*"))
    for key in garden.keys.values():
        assert key.encode() not in ledger
    assert b"query-of-mine" not in ledger
    errors = garden.server.errors.read_text()
    for text in (*garden.keys.values(), *SHARED.values(), "query-of-mine", "Traceback"):
        assert text not in errors


def test_the_audit_can_not_be_changed(garden: Garden) -> None:
    connection = sqlite3.connect(garden.home / "state.sqlite")
    for statement in ("delete from audit", "update audit set status = 200"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
    connection.close()


def test_a_revoked_key_is_worthless_at_once(garden: Garden) -> None:
    key = new_key(garden.home, "guest", "--grant", "garden=memory.read")
    assert garden.context(key).status == 200
    assert run_tamis("--home", garden.home, "keys", "revoke", "guest").returncode == 0
    assert garden.context(key).status == 401


def test_a_new_build_is_told_without_a_restart(tmp_path: Path) -> None:
    home = tmp_path / "home"
    publish_garden(home)
    key = new_key(home, "reader", "--grant", "garden=memory.read")
    with running_server(home) as server:
        assert server.context("garden", key).json["head_changeset_id"] == "main"
        publish_garden(home, "20260302-second", more="The shed has a new lock")
        told = server.context("garden", key).json
        assert told["head_changeset_id"] == "more"
        assert told["memories"][0]["content"] == "The shed has a new lock"


def test_before_the_first_build_there_is_nothing_to_read(tmp_path: Path) -> None:
    home = tmp_path / "home"
    key = new_key(home, "reader", "--grant", "garden=memory.read")
    with running_server(home, end=signal.SIGTERM) as server:
        assert server.ask("/health").status == 503
        reply = server.context("garden", key)
        assert (reply.status, reply.code) == (503, "nothing_published")
        assert str(home).encode() not in reply.body


def test_what_reads_lethes_api_reads_this_one(garden: Garden, tmp_path: Path) -> None:
    environment = {"LETHE_API_KEY": garden.keys["reader"], "LETHE_PROJECTS": "garden"}
    done = run_tamis(
        *("--home", tmp_path / "other", "--json", "land", "--from", garden.server.address),
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    landed = {one["source_entity"]: one for one in json.loads(done.stdout)["entities"]}
    assert landed["lethe__context_memories"]["new_records"] == len(SHARED)
