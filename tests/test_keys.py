"""Keys and grants on the command line, and where the server agrees to listen."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli import main
from tamis.errors import TamisError
from tamis.serve.policy import sees_ref
from tamis.serve.principals import COMMIT, KEY, READ, WRITE, Principal, grants_of, hashed
from tamis.serve.server import is_loopback


def run(home: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command line in this process."""
    done = CliRunner().invoke(main, ["--home", str(home), *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_key_is_told_once_and_kept_as_its_hash(home: Path) -> None:
    code, key, errors = run(home, "keys", "add", "reader", "--grant", "*=memory.read")
    assert (code, errors) == (0, "")
    assert KEY.fullmatch(key.strip())
    ledger = b"".join(path.read_bytes() for path in home.glob("state.sqlite*"))
    assert key.strip().encode() not in ledger
    assert hashed(key.strip()).encode() in ledger
    assert (home / "state.sqlite").stat().st_mode & 0o077 == 0
    for verb in (["keys", "list"], ["--json", "keys", "list"], ["keys", "audit"]):
        _, shown, _ = run(home, *verb)
        assert key.strip() not in shown
        assert hashed(key.strip()) not in shown


def test_a_name_holds_one_key_until_it_is_revoked(home: Path) -> None:
    add = ("--json", "keys", "add", "sower", "--agent", "sower", "--grant", "garden=memory.read")
    first = json.loads(run(home, *add)[1])["key"]
    code, _, errors = run(home, *add)
    assert code == 2
    assert "revoke it first" in errors
    assert run(home, "keys", "revoke", "sower")[0] == 0
    assert run(home, "keys", "revoke", "sower")[0] == 2
    second = json.loads(run(home, *add)[1])["key"]
    assert first != second
    listed = json.loads(run(home, "--json", "keys", "list")[1])["keys"]
    assert [(one["name"], one["agent"], one["revoked_at"]) for one in listed] == [
        ("sower", "sower", None)
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["a b", "--grant", "*=memory.read"], "is no name"),
        (["x", "--agent", "a/b", "--grant", "*=memory.read"], "is no name"),
        (["x", "--agent", "Main", "--grant", "*=memory.read"], "user's own agent"),
        (["x", "--grant", "garden"], "is no grant"),
        (["x", "--grant", "=memory.read"], "is no grant"),
        (["x", "--grant", "garden=memory.admin"], "is no grant"),
        (["x", "--grant", "garden="], "is no grant"),
    ],
)
def test_what_is_no_principal_is_refused_in_one_line(
    home: Path, arguments: list[str], reason: str
) -> None:
    code, shown, errors = run(home, "keys", "add", *arguments)
    assert (code, shown) == (2, "")
    assert reason in errors
    assert errors.count("\n") == 1


def test_a_quiet_run_makes_no_key_that_nobody_sees(home: Path) -> None:
    code, _, errors = run(home, "--quiet", "keys", "add", "x", "--grant", "*=memory.read")
    assert code == 2
    assert "--quiet" in errors
    assert run(home, "keys", "list")[1] == "no keys\n"


def test_grants_are_by_project_and_a_wildcard_never_pins() -> None:
    grants = grants_of(
        [
            "garden=memory.read",
            "garden=memory.commit",
            "*=memory.read,memory.write",
            "a=b=memory.read",
        ]
    )
    principal = Principal("x", None, grants)
    assert principal.pins("garden")
    assert not principal.pins("orchard")
    assert not principal.pins("*")
    assert principal.may(READ, "anything")
    assert principal.may(WRITE, "anything")
    assert not principal.may(COMMIT, "orchard")
    narrow = Principal("x", None, grants_of(["a=b=memory.read"]))
    assert narrow.may(READ, "a=b")
    assert not narrow.knows("a")
    assert not narrow.knows("*")


@pytest.mark.parametrize(
    ("ref", "is_seen"),
    [
        ("refs/shared/main", True),
        ("refs/agents/Sower/main", True),
        ("refs/sessions/Sower/1", True),
        ("refs/topics/Sower/beds", True),
        ("refs/agents/Sower2/main", False),
        ("refs/agents/sower/main", False),
        ("refs/agents/Sower", False),
        ("refs/agents/Sower/", False),
        ("refs/agents//Sower/main", False),
        ("refs/agents/Sower/../Digger/main", False),
        ("refs/shared/../agents/Digger/main", False),
        ("refs/repos/garden/main", False),
        ("refs/shared/main\n", False),
        ("heads/main", False),
        ("", False),
    ],
)
def test_a_ref_is_seen_where_it_is_shared_or_bears_the_agents_name(ref: str, is_seen: bool) -> None:
    principal = Principal("sower", "Sower", grants_of(["*=memory.read"]))
    assert sees_ref(principal, ref) == is_seen
    nobodys = Principal("reader", None, grants_of(["*=memory.read"]))
    assert sees_ref(nobodys, ref) == (is_seen and ref.startswith("refs/shared/"))


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_only_addresses_of_this_machine_are_loopback(host: str, is_local: bool) -> None:
    assert is_loopback(host) == is_local


def test_an_address_beyond_this_machine_is_refused(home: Path) -> None:
    code, _, errors = run(home, "serve", "--host", "0.0.0.0", "--port", "0")
    assert code == 2
    assert "--allow-remote" in errors
    assert not home.exists()


def test_a_port_that_is_taken_is_told_in_one_line(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, errors = run(home, "serve", "--port", str(port))
    assert code == 3
    assert f"can't listen on 127.0.0.1:{port}" in errors


@pytest.mark.parametrize("verb", ["serve", "mcp"])
def test_without_the_extra_one_line_names_it(
    home: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.serve.find_spec", lambda name: None)
    code, _, errors = run(home, verb)
    assert code == 3
    assert errors == (
        "tamis: serving needs fastapi, mcp, uvicorn: install them with pip install 'tamis[serve]'\n"
    )


def test_the_ledger_of_keys_needs_no_home_to_be_read(home: Path) -> None:
    assert run(home, "keys", "list")[1] == "no keys\n"
    assert run(home, "keys", "audit")[1] == "no calls\n"
    assert not home.exists()
    with pytest.raises(TamisError):
        grants_of(["nothing"])
