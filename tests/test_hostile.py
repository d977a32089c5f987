"""Hostile captures: at worst a counted rejection, never a lost event, a leak or a stopped build."""

import json
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import polars as pl
import pytest
from command_line import run_tamis

from tamis.session_keys import MACHINE_TRIGGERS

PROJECT = Path(__file__).resolve().parents[1]
GOOGLE_KEY = "AI" + "zaSyNotARealKeyTamisTest0123456789abcd"
GITHUB_TOKEN = "gh" + "p_NotARealTokenTamisTest01234567890123456"


def claude(number: int, text: object, **fields: object) -> str:
    line = {
        "type": "user",
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "sessionId": "hostile-session",
        "cwd": "/home/u/work/hostile",
        "timestamp": f"2026-05-01T10:{number % 60:02}:00Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps({**line, **fields})


def openclaw(number: int, text: str) -> str:
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    entry = {"type": "message", "id": f"{number:08x}", "parentId": None, "message": message}
    return json.dumps({**entry, "timestamp": f"2026-05-01T11:{number:02}:00Z"})


def write_lines(path: Path, *lines: object) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    claude_lines = [
        claude(1, "An ordinary statement before the storm"),
        claude(2, GOOGLE_KEY * 2),
        claude(3, f"glued see<private>z</private>{GITHUB_TOKEN} end"),
        claude(4, "port in the year nought", timestamp="0000-01-01T00:00:00Z"),
        claude(5, "first without an id", uuid=""),
        claude(6, "second without an id", uuid=""),
        claude(7, "an id that is no text", uuid=True),
        claude(8, "another id that is no text", uuid=True),
        claude(9, "text as a bare message", message="the bare message is kept"),
        claude(10, {"type": "text", "text": "one block without its list"}),
        claude(11, "[hm src:x] " * 300 + "deep"),
        claude(12, "[[reply_to_current]] <private>"),
        claude(13, "{{ var('x') }} {% raw %} ${HOME} $1 \\1 '; drop table facts; --"),
        claude(14, "\x1b[31mred\x00\u202e and \ufeff marks"),
        claude(15, "here is the place", cwd="/home/u/q6"),
        claude(16, "a kind nobody knows", type=GITHUB_TOKEN),
        claude(17, "types all wrong", isSidechain="maybe", isMeta=[1], gitBranch={"a": 1}),
        json.dumps({"type": ["user"]}),
        '{"type": "user", "uuid": "half \\ud83d", "sessionId": "hostile-session", '
        '"message": {"role": "user", "content": "half a pair \\ud83d stays"}}',
        claude(18, "An ordinary statement after the storm"),
        claude(19, "said where folders have no names", cwd="/ / "),
        claude(20, "said in no project of that name", cwd="/unknown-project"),
    ]
    (folder / "hostile-session.jsonl").write_text("\n".join(claude_lines) + "\n")
    sessions = folder / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    header = '{"type": "session", "version": 3, "id": "queue-session", "cwd": "/srv/queue"}'
    bundle = (
        "[Queued messages while agent was busy]\nbefore the first\n\n---\nQueued #1\none thing\n\n"
        "---\nQueued #2\nanother thing"
    )
    entries = [
        header,
        openclaw(1, "[Queued messages while agent was busy] what does this header mean?"),
        openclaw(2, bundle),
    ]
    (sessions / "queue-session.jsonl").write_text("\n".join(entries) + "\n")
    (sessions / "sessions.json").write_text('{"sessionId":' * 3000 + "1" + "}" * 3000)
    checkouts = [
        {"type": "git_checkout", "cwd": "/home/u/q6", "remote": "https:///", "top_level": None},
        {
            "type": "git_checkout",
            "cwd": "/home/u/work/hostile",
            "remote": "https://user:p@ssw0rd9@host.example/own/repo.git",
        },
    ]
    (folder / "hostile.checkouts.jsonl").write_text("\n".join(map(json.dumps, checkouts)) + "\n")
    for name, text in (("one", "pears are cheap"), ("two", "apples are dear")):
        with sqlite3.connect(folder / f"{name}.mind") as mind:
            mind.execute("create table memory_frames (id integer, content text)")
            mind.execute("insert into memory_frames values (1, ?)", [text])
        mind.close()
    pasted = {"(": {"id": "(", "content": "x"}, "1": {"id": 1, "content": "the pasted \\\\1 text"}}
    prompt = {"display": "see [Pasted text #1]", "pastedContents": pasted, "timestamp": 1777900000}
    write_lines(folder / "history.jsonl", {**prompt, "project": f"/home/u/{GITHUB_TOKEN}/hostile"})
    memory = folder / "work" / GITHUB_TOKEN / "CLAUDE.md"
    memory.parent.mkdir(parents=True)
    memory.write_text(f"# Deploy with {GITHUB_TOKEN}\n\n- We deploy on Mondays\n")
    message = {"role": "user", "content": [{"type": "text", "text": "the agent is named oddly"}]}
    agent = {"name": f"bot {GITHUB_TOKEN}", "created_at": "2026-05-04T09:00:00Z"}
    agent |= {"agent_type": "x", "core_memory": [], "messages": [message]}
    (folder / "odd.af").write_text(json.dumps(agent))
    with sqlite3.connect(folder / "lethe.db") as lethe:
        lethe.execute("create table events (event_id, session_id, project_id, event_type, content)")
        lethe.execute("create table memory_changesets (changeset_id, project_id)")
        lethe.execute("create table memory_changeset_ops (changeset_id, ordinal, op_type)")
        for ordinal in ("first", None, 1, "1", 1.5):
            row = ["c1", ordinal, "correct_memory"]
            lethe.execute("insert into memory_changeset_ops values (?, ?, ?)", row)
    lethe.close()
    target = folder / "home"
    done = run_tamis("--home", target, "run", "--from", folder)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return target


def published(home: Path, mart: str) -> pl.DataFrame:
    build = (home / "published" / "CURRENT").read_text().strip()
    return pl.read_parquet(home / "published" / build / f"{mart}.parquet")


def test_every_text_has_a_verdict(home: Path) -> None:
    facts = set(published(home, "facts")["text"])
    wanted = {
        "An ordinary statement before the storm",
        "An ordinary statement after the storm",
        "first without an id",
        "second without an id",
        "an id that is no text",
        "another id that is no text",
        "the bare message is kept",
        "one block without its list",
        "half a pair \ufffd stays",
        "port in the year nought",
        "[Queued messages while agent was busy] what does this header mean?",
        "before the first",
        "one thing",
        "another thing",
        "see the pasted \\\\1 text",
        "We deploy on Mondays",
        "the agent is named oddly",
        "pears are cheap",
        "apples are dear",
        "said where folders have no names",
        "said in no project of that name",
        "deep",
        "{{ var('x') }} {% raw %} ${HOME} $1 \\1 '; drop table facts; --",
    }
    assert wanted - facts == set()


def test_no_secret_is_published_or_shown(home: Path) -> None:
    everything = "".join(
        str(published(home, mart).rows())
        for mart in ("facts", "fact_sources", "rejections", "projects", "sessions")
    )
    doctor = run_tamis("--home", home, "doctor").stdout
    for secret in (GOOGLE_KEY, GITHUB_TOKEN, "ssw0rd9"):
        assert secret not in everything
        assert secret not in doctor
    facts = published(home, "facts")
    named = facts.filter(pl.col("text") == "the agent is named oddly")
    assert named["agent_id"].to_list() == ["bot [redacted:github_token]"]
    contexts = set(facts["context_description"])
    assert contexts == {None, "Deploy with [REDACTED:github_token]"}
    assert "host.example/own/repo" in set(published(home, "facts")["project_key"])


def test_recall_survives_odd_times_and_queries(home: Path) -> None:
    for query in ("port in the year nought", "", "...", "x" * 100_000):
        done = run_tamis("--home", home, "recall", query)
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout


def test_explain_answers_bad_metadata_without_repeating_it(tmp_path: Path) -> None:
    lines = [
        json.dumps({"content": "x", "metadata": f"not json {GITHUB_TOKEN}"}),
        json.dumps({"content": "x", "metadata": ""}),
        json.dumps({"content": "We use port 7443", "metadata": {"a": 1}}),
    ]
    done = run_tamis("--home", tmp_path / "home", "explain", input="\n".join(lines))
    assert done.returncode == 2
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(answer) >= {"error"} for answer in answers] == [True, True, False]
    assert GITHUB_TOKEN not in done.stdout + done.stderr


def test_a_killed_run_leaves_no_child_and_the_next_one_heals(
    tmp_path: Path, captures: Path
) -> None:
    home = tmp_path / "home"
    command = [sys.executable, "-m", "tamis", "--home", str(home), "run", "--from", str(captures)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (home / "dbt").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(4)
    running.kill()
    running.wait()
    done = None
    for _ in range(20):
        done = run_tamis("--home", home, "run", "--from", captures)
        if done.returncode != 3:
            break
        time.sleep(0.5)
    assert done is not None
    assert done.returncode == 0, done.stderr
    assert published(home, "facts").height > 50


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"../../etc"])
def test_a_broken_pointer_is_one_line(tmp_path: Path, content: bytes) -> None:
    home = tmp_path / "home"
    (home / "published").mkdir(parents=True)
    (home / "published" / "CURRENT").write_bytes(content)
    done = run_tamis("--home", home, "recall", "x")
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1


def test_a_ledger_of_another_kind_is_one_line(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with sqlite3.connect(home / "state.sqlite") as ledger:
        ledger.execute("create table landings (other text)")
    ledger.close()
    done = run_tamis("--home", home, "status")
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1


def test_marts_built_by_hand_are_not_published(tmp_path: Path, demo: tuple[Path, str]) -> None:
    import shutil

    home = shutil.copytree(demo[0], tmp_path / "home")
    connection = duckdb.connect(str(home / "tamis.duckdb"))
    connection.execute("update marts.facts set run_id = 'by hand'")
    connection.close()
    for verb in ("check", "publish"):
        done = run_tamis("--home", home, verb)
        assert done.returncode == 3, done.stdout
        assert "built by hand" in done.stderr


def test_sql_and_python_know_the_same_machine_triggers() -> None:
    macro = (PROJECT / "macros" / "text" / "is_machine_trigger.sql").read_text()
    named = set(re.findall("'([a-z_]{3,})'", macro))
    assert named == MACHINE_TRIGGERS
