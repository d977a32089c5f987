"""Private text and secrets of captures are in nothing that a home shows, tells or publishes."""

import json
import re
import sqlite3
from pathlib import Path

import duckdb
import polars as pl
import pytest
from captures import claude_mem
from command_line import run_tamis
from test_hostile import claude, openclaw, write_lines

# One private word for each place a capture keeps a text in.
PRIVATE = {
    place: f"quiet{place}word"
    for place in ("session", "prompt", "turn", "upper", "observation", "memory", "note")
}


def token(number: int) -> str:
    """A token of GitHub's form, of its own for each place, so that a leak names its place."""
    return "gh" + f"p_EXAMPLEexampleEXAMPLEexample{number:02}01234567"


PLACES = [
    *("text", "title", "folder", "session", "file", "agent", "branch", "remote", "metadata"),
    *("reason", "entity", "project", "origin", "slug", "key", "observation", "torn", "kind"),
    *("tool", "part", "role", "trigger", "heading", "unknown"),
]
TOKENS = {place: token(number) for number, place in enumerate(PLACES)}


def private(place: str, tag: str = "private") -> str:
    return f"<{tag}>the {PRIVATE[place]} is for nobody</{tag}>"


def write_claude_mem(path: Path) -> None:
    with sqlite3.connect(path) as store:
        store.executescript(claude_mem.SCHEMA)
        store.execute(
            "insert into sdk_sessions (content_session_id, memory_session_id, project,"
            " user_prompt, started_at_epoch) values ('s1', 'm1', ?, ?, ?)",
            (f"oak {TOKENS['project']}", private("session"), claude_mem.BEGIN),
        )
        store.execute(
            "insert into user_prompts (content_session_id, prompt_number, prompt_text,"
            " created_at, created_at_epoch) values ('s1', 1, ?, 't', ?)",
            (private("prompt"), claude_mem.BEGIN),
        )
        store.execute(
            "insert into observations (memory_session_id, project, type, title, narrative,"
            " agent_type, agent_id, created_at, created_at_epoch)"
            " values ('m1', 'oak', 'note', ?, ?, ?, ?, 't', ?)",
            (
                f"The title names {TOKENS['title']}",
                f"It works. {private('observation')} {TOKENS['observation']}",
                f"kind {TOKENS['kind']}",
                f"agent {TOKENS['agent']}",
                claude_mem.BEGIN,
            ),
        )
    store.close()


def write_mem0(path: Path) -> None:
    with sqlite3.connect(path) as store:
        store.execute(
            "create table history (id text, memory_id text, old_memory text, new_memory text,"
            " event text, created_at text, updated_at text, is_deleted integer, actor_id text,"
            " role text)"
        )
        store.execute(
            "insert into history values ('h1', ?, null, ?, 'ADD', '2026-05-01T10:00:00', null, 0,"
            " ?, ?)",
            (
                f"memory {TOKENS['reason']}",
                f"The baker likes rye. {private('memory')}",
                f"actor {TOKENS['part']}",
                f"user {TOKENS['role']}",
            ),
        )
    store.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("private")
    write_claude_mem(folder / "claude-mem.db")
    write_mem0(folder / "history.db")
    place = f"/home/u/work/{TOKENS['folder']}"
    lines = [
        claude(1, f"Deploy with {TOKENS['text']} on Mondays", cwd=place),
        claude(2, private("turn")),
        claude(3, f"The oven is hot {private('upper', 'PRIVATE')}"),
        claude(4, "the session is named", sessionId=f"session {TOKENS['session']}"),
        claude(5, "on a branch", gitBranch=f"fix/{TOKENS['branch']}", slug=TOKENS["slug"]),
        claude(6, "told by an agent", agentId=f"a{TOKENS['agent']}", isSidechain=False),
        claude(7, "with more fields", more={"x": TOKENS["metadata"]}),
        claude(8, "of an odd kind", type=TOKENS["unknown"]),
        claude(9, [{"type": "tool_use", "id": "t", "name": TOKENS["tool"], "input": {}}]),
        '{"type": "user", "message": "' + TOKENS["torn"] + " no end",
    ]
    named = folder / f"{TOKENS['file']}.jsonl"
    named.write_text("\n".join(lines) + "\n")
    checkout = {"type": "git_checkout", "cwd": "/home/u/work/hostile"}
    checkout["remote"] = f"https://x:{TOKENS['remote']}@host.example/own/repo.git"
    write_lines(folder / "x.checkouts.jsonl", checkout)
    sessions = folder / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    header = '{"type": "session", "version": 3, "id": "claw-session", "cwd": "/srv/queue"}'
    turn = openclaw(1, "a turn of the gateway")
    (sessions / "claw-session.jsonl").write_text(f"{header}\n{turn}\n")
    key = f"agent:main:telegram:{TOKENS['key']}"
    (sessions / "sessions.json").write_text(
        json.dumps({key: {"sessionId": "claw-session", "displayName": TOKENS["trigger"]}})
    )
    entity = {"type": "entity", "name": f"mill {TOKENS['entity']}", "entityType": "supplier"}
    entity["observations"] = ["It delivers on Fridays"]  # type: ignore[assignment]
    (folder / "memory.jsonl").write_text(json.dumps(entity) + "\n")
    notes = folder / TOKENS["origin"] / "CLAUDE.md"
    notes.parent.mkdir()
    notes.write_text(f"# About {TOKENS['heading']}\n\n- We bake at night {private('note')}\n")
    target = folder / "home"
    done = run_tamis("--home", target, "run", "--from", folder)
    (folder / "said.txt").write_text(done.stdout + done.stderr)
    assert done.returncode == 0, done.stderr
    return target


def leaks(text: str) -> set[str]:
    """The places whose private word or token is in a text."""
    words = {place for place, word in PRIVATE.items() if word in text}
    lower = text.lower()
    return words | {
        f"token of {place}" for place, secret in TOKENS.items() if secret.lower() in lower
    }


def test_the_captures_are_curated(home: Path) -> None:
    build = (home / "published" / "CURRENT").read_text().strip()
    facts = set(pl.read_parquet(home / "published" / build / "facts.parquet")["text"])
    assert facts >= {
        "Deploy with [REDACTED:github_token] on Mondays",
        "The oven is hot",
        "the session is named",
        "It delivers on Fridays",
        "We bake at night",
        "a turn of the gateway",
    }


def test_nothing_published_holds_them(home: Path) -> None:
    files = list((home / "published").rglob("*.parquet"))
    assert len(files) >= 6
    found = {(file.stem, place) for file in files for place in leaks(shown(pl.read_parquet(file)))}
    assert found == set()


def test_no_mart_holds_them(home: Path) -> None:
    with duckdb.connect(str(home / "tamis.duckdb"), read_only=True) as warehouse:
        marts = warehouse.sql("select table_name from duckdb_tables() where schema_name = 'marts'")
        found = {
            (name, place)
            for (name,) in marts.fetchall()
            for place in leaks(shown(warehouse.sql(f'select * from marts."{name}"').pl()))
        }
    assert found == set()


def test_no_other_file_of_the_home_holds_them(home: Path) -> None:
    # The warehouse's raw tables keep each record whole, and the ledger the paths that it read.
    whole = {"tamis.duckdb", "tamis.duckdb.wal", "state.sqlite", "state.sqlite-wal"}
    files = [file for file in home.rglob("*") if file.is_file() and file.name not in whole]
    kinds = {file.suffix for file in files}
    assert kinds >= {".html", ".json"}, "the Data Docs and dbt's artifacts are there"
    found = {
        (str(file.relative_to(home)), place)
        for file in files
        if file.suffix != ".parquet"
        for place in leaks(file.read_bytes().decode("utf-8", "replace"))
    }
    assert found == set()


def test_the_ledger_holds_no_more_than_paths(home: Path) -> None:
    with sqlite3.connect(home / "state.sqlite") as ledger:
        text = "\n".join(ledger.iterdump())
    ledger.close()
    paths = {"token of file", "token of origin"}
    assert leaks(text) <= paths


def test_no_command_tells_them(home: Path) -> None:
    build = (home / "published" / "CURRENT").read_text().strip()
    ids = [
        *pl.read_parquet(home / "published" / build / "facts.parquet")["fact_id"][:4],
        *pl.read_parquet(home / "published" / build / "rejections.parquet")["event_id"][:2],
    ]
    commands = [["status"], ["doctor"]]
    commands += [["recall", "deploy"], *(["why", one] for one in ids)]
    told = {" ".join(command): run_tamis("--home", home, *command) for command in commands}
    found = {
        (command, place)
        for command, done in told.items()
        for place in leaks(done.stdout + done.stderr)
    }
    # A file that could not be read is named as it lies on the disk: nobody would find it otherwise.
    assert found == {("doctor", "token of file")}
    assert leaks((home.parent / "said.txt").read_text()) == set()


def test_explain_tells_none(home: Path) -> None:
    lines = [
        json.dumps(
            {"content": f"x {TOKENS['text']} {private('turn')}", "cwd": f"/w/{TOKENS['folder']}"}
        ),
        json.dumps({"content": "x", "metadata": [TOKENS["metadata"]], "agent_id": TOKENS["agent"]}),
        json.dumps({"content": {"a": private("turn")}}),
        '{"content": "' + TOKENS["torn"],
    ]
    done = run_tamis("--home", home, "explain", input="\n".join(lines))
    assert re.search("REDACTED:github_token", done.stdout)
    assert leaks(done.stdout + done.stderr) == set()


def shown(rows: pl.DataFrame) -> str:
    return "\n".join(map(str, rows.rows()))
