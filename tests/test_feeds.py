"""Services: how they are asked, what lands of their answers, what if there is none."""

import json
import os
import socket
import threading
import time
from pathlib import Path

import pytest
from captures.lethe import answer
from command_line import run_tamis
from landing_home import claude, land_into, payloads, query, write
from lethe_server import KEY, LetheServer, running_lethe

from tamis.errors import TamisError
from tamis.landing import read_rows
from tamis.landing.read_rows import public_address
from tamis.sources import lethe
from tamis.sources.source import Unreachable

MEMORIES = "lethe__context_memories"


@pytest.fixture
def server():
    with running_lethe() as running:
        yield running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits as long as a user would."""
    monkeypatch.setattr(read_rows, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(lethe, "TIMEOUT_SECONDS", 0.3)


def environ(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home.parent), "LETHE_API_KEY": KEY, **more}


def ask(address: str, **environ: str) -> str:
    """What is said of a service that can't be asked."""
    with pytest.raises(Unreachable) as caught:
        list(lethe.fetch(address, {"LETHE_API_KEY": KEY, **environ}))
    said = str(caught.value)
    assert KEY not in said
    assert "\n" not in said
    return said


def dead_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_a_projects_memory_lands_once(home: Path, server: LetheServer) -> None:
    asked = {"environ": environ(home, LETHE_PROJECTS="garden")}
    report = land_into(home, server.address, **asked)
    assert {one.source_entity: one.new_records for one in report.entities} == {
        MEMORIES: 3,
        "lethe__contexts": 1,
    }
    assert server.asked == [("/api/memory/garden/context?limit=100", f"Bearer {KEY}")]
    report = land_into(home, server.address, **asked)
    assert (report.records, report.new_records, report.failed) == (4, 0, ())
    rows = query(home, f"select container, origin, position from raw.{MEMORIES} order by all")
    assert rows == [
        ("garden/evt-0", server.address, 2),
        ("garden/evt-2", server.address, 1),
        ("garden/watering", server.address, 0),
    ]
    view = json.loads(payloads(home, "lethe__contexts")[0])
    assert view["memory_ids"] == ["watering", "evt-2", "evt-0"]
    assert view["exclusion_reasons"] == answer()["exclusion_reasons"]


def test_an_address_may_name_its_project_and_ask_in_its_own_way(
    home: Path, server: LetheServer
) -> None:
    address = f"{server.address}/api/memory/a%2Fb%20c/context?ref=refs%2Fx&limit=5"
    report = land_into(home, address, environ=environ(home))
    assert report.new_records == 4
    assert server.asked[0][0] == "/api/memory/a%2Fb%20c/context?ref=refs%2Fx&limit=5"


def test_several_projects_are_asked_and_one_failure_hinders_no_other(
    home: Path, server: LetheServer
) -> None:
    names = "missing, garden,garden, nothing"
    report = land_into(home, server.address, environ=environ(home, LETHE_PROJECTS=names))
    assert report.new_records == 5
    assert report.failed == (
        (
            server.address,
            "project missing: it answers 404: it has no such project or ref",
        ),
    )


def test_services_are_asked_without_being_named_once_they_are_set_up(
    home: Path, server: LetheServer, tmp_path: Path
) -> None:
    set_up = environ(home, LETHE_PROJECTS="garden", LETHE_API_URL=server.address)
    assert land_into(home, environ=environ(home), cwd=tmp_path).records == 0
    assert land_into(home, environ=set_up, cwd=tmp_path).new_records == 4
    assert land_into(home, environ=set_up, cwd=tmp_path, sources=["hive_mind"]).records == 0
    assert lethe.addresses({"LETHE_PROJECTS": "garden"}) == ["http://localhost:18483"]


def test_the_command_line_lands_from_an_address_and_from_what_is_set_up(
    home: Path, server: LetheServer, tmp_path: Path
) -> None:
    asked = environ(home, LETHE_PROJECTS="garden", LETHE_API_URL=server.address)
    set_up = {**os.environ, **asked}
    done = run_tamis("--home", home, "--json", "land", "--from", server.address, env=set_up)
    assert done.returncode == 0, done.stderr
    entities = json.loads(done.stdout)["entities"]
    assert [(one["source_entity"], one["new_records"]) for one in entities] == [
        (MEMORIES, 3),
        ("lethe__contexts", 1),
    ]
    done = run_tamis("--home", home, "--json", "land", "lethe", env=set_up, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [one["records"] for one in json.loads(done.stdout)["entities"]] == [3, 1]
    dead = dead_address()
    done = run_tamis("--home", home, "land", "--from", dead, env=set_up)
    assert done.returncode == 3
    assert f"could not read {dead}: project garden: it can't be reached: " in done.stderr
    assert KEY not in done.stdout + done.stderr


def test_a_dead_address_is_tried_again_and_reported_and_others_land(
    home: Path, folder: Path, server: LetheServer
) -> None:
    write(folder / "a.jsonl", claude("hello"))
    dead = dead_address()
    tries = environ(home, LETHE_PROJECTS="garden")
    report = land_into(home, dead, folder, server.address, environ=tries)
    assert report.new_records == 5
    assert report.failed == ((dead, "project garden: it can't be reached: Connection refused"),)


@pytest.mark.parametrize(("failures", "tries", "records"), [(2, 3, 4), (3, 3, 0)])
def test_a_service_that_is_busy_is_asked_three_times(
    home: Path, server: LetheServer, failures: int, tries: int, records: int
) -> None:
    server.failures = failures
    report = land_into(home, server.address, environ=environ(home, LETHE_PROJECTS="garden"))
    assert (len(server.asked), report.records, report.new_records) == (tries, records, records)
    assert len(report.failed) == (records == 0)


@pytest.mark.parametrize(
    ("project", "said"),
    [
        ("missing", "it answers 404: it has no such project or ref"),
        ("broken", "it answers 500"),
        ("garbage", "its answer is no JSON"),
        ("number", "its answer is no JSON"),
        ("binary", "its answer is no JSON"),
        ("list", "its answer is no memory context"),
        ("strange", "its answer is no memory context"),
        ("cut", "the connection broke: its answer is cut off"),
        ("slow", "it does not answer in time"),
    ],
)
def test_a_bad_answer_is_one_line(server: LetheServer, project: str, said: str) -> None:
    assert ask(server.address, LETHE_PROJECTS=project) == f"project {project}: {said}"


def test_a_wrong_key_is_said_and_not_shown(server: LetheServer) -> None:
    said = ask(server.address, LETHE_PROJECTS="garden", LETHE_API_KEY="other")
    assert said == "project garden: it answers 401: check LETHE_API_KEY"
    assert "hidden" not in ask(
        server.address, LETHE_PROJECTS="garden", LETHE_API_KEY="hidden\r\nX: y"
    )


def test_a_redirect_takes_the_key_to_no_other_server(server: LetheServer) -> None:
    with running_lethe() as other:
        server.elsewhere = other.address
        said = ask(server.address, LETHE_PROJECTS="moved")
        assert said.endswith("it answers 302 and points to another server: give that one's address")
        assert other.asked == []
    names = {"LETHE_API_KEY": KEY, "LETHE_PROJECTS": "renamed"}
    assert len(list(lethe.fetch(server.address, names))) == 4


def test_an_answer_of_any_length_takes_bounded_memory_and_time(
    server: LetheServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lethe, "LONGEST_BODY_BYTES", 100)
    assert "longer than" in ask(server.address, LETHE_PROJECTS="garden")


def test_a_server_that_drips_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lethe, "DEADLINE_SECONDS", 0.4)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        def drip() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in range(100):
                    try:
                        connection.sendall(b" ")
                    except OSError:
                        return
                    time.sleep(0.1)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert ask(address, LETHE_PROJECTS="p") == "project p: it does not answer in time"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://", "the address can't be read: give http://host:port"),
        ("http://[::1", "the address can't be read: give http://host:port"),
        ("http://host:port", "the address can't be read: give http://host:port"),
        (
            "http://user:word@host",
            "the address holds a name or password: put the key in LETHE_API_KEY",
        ),
        ("http://host", "it is not said which projects to ask for: set LETHE_PROJECTS"),
    ],
)
def test_a_bad_address_is_one_line(address: str, said: str) -> None:
    assert ask(address) == said


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("http://host:1/a@b/c?key=x#y", "http://host:1/a@b/c"),
        ("http://u:p@host", "http://host"),
        ("http://[::1", "http://[::1"),
        ("postgresql://u:p@host:1/db?password=p", "postgresql://host:1/db"),
        ("postgresql://u:p@ss/w#o?r@host/db", "postgresql://host/db"),
        ("postgresql:///db?host=/run", "postgresql:///db"),
    ],
)
def test_no_password_stands_in_the_public_form_of_an_address(address: str, public: str) -> None:
    assert public_address(address) == public


def test_an_address_that_no_source_reads_is_a_usage_error(home: Path) -> None:
    with pytest.raises(TamisError, match="no source reads mysql://") as caught:
        land_into(home, "mysql://host/db")
    assert caught.value.exit_code == 2


def test_a_dry_run_asks_and_writes_nothing(home: Path, server: LetheServer) -> None:
    asked = {"environ": environ(home, LETHE_PROJECTS="garden"), "dry_run": True}
    assert land_into(home, server.address, **asked).new_records == 4
    assert not home.exists()
