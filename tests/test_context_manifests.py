"""Manifests: one for the same question of the same memory, stored once and never changed."""

import json
import sqlite3
import stat
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from handmade_memory import fact, garden, session, write_memory

from tamis import state
from tamis.cli import main
from tamis.context import (
    Context,
    ContextError,
    ContextRequest,
    assemble,
    manifest,
    manifests,
)
from tamis.home import Settings

NOW = datetime(2026, 3, 7)


@pytest.fixture
def plot(home: Path) -> Path:
    write_memory(
        home,
        [fact("f1", "The port is 7443")],
        sessions=[session("ses-1", "agent:main:main")],
        histories=[garden()],
    )
    return home


def stored(home: Path, query: str, hour: int = 0, **request: Any) -> Context:
    question = ContextRequest("garden", query, **request)
    return assemble(home, Settings(), question, now=NOW + timedelta(hours=hour), stores=True)


def rows(home: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(home / "state.sqlite") as ledger:
        return ledger.execute("select manifest_id, created_at from manifests").fetchall()


def tamis(home: Path, *arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["--home", str(home), *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_same_question_has_the_same_bytes_and_one_manifest(plot: Path) -> None:
    question = ("--json", "context", "--project", "garden", "--query", "water")
    code, first, _ = tamis(plot, *question)
    assert code == 0
    assert tamis(plot, *question) == (0, first, "")
    told = json.loads(first)
    assert [row[0] for row in rows(plot)] == [told["manifest"]["manifest_id"]]
    assert "created_at" not in told["manifest"]
    assert set(told) == {
        *("schema_version", "verb", "manifest", "memories", "relationships", "text", "items"),
    }


def test_a_session_by_its_key_and_by_its_id_has_one_manifest(plot: Path) -> None:
    by_key = stored(plot, "water", session_key="agent:main:main")
    by_id = stored(plot, "water", session_key="ses-1", hour=1)
    assert by_key == by_id
    assert len(rows(plot)) == 1
    assert by_key != stored(plot, "water")


def test_whatever_differs_has_another_manifest(plot: Path) -> None:
    questions: list[dict[str, Any]] = [
        {},
        {"head": "add"},
        {"limit": 2},
        {"budget": 60},
        {"session_key": "ses-1"},
        {"session_key": "agent:main:subagent:1"},
    ]
    for question in questions:
        stored(plot, "water", **question)
    stored(plot, "soil")
    assert len({row[0] for row in rows(plot)}) == len(questions) + 1


def test_a_manifest_keeps_the_time_of_its_first_use(plot: Path) -> None:
    first = stored(plot, "water")
    stored(plot, "water", hour=5)
    assert first.manifest is not None
    assert manifest(plot, first.manifest["manifest_id"]) == {
        **first.manifest,
        "created_at": NOW.isoformat(),
    }
    assert manifest(plot, "none") is None


def test_a_projection_without_storing_gives_the_same_answer(plot: Path) -> None:
    question = ContextRequest("garden", "water")
    shown = assemble(plot, Settings(), question, now=NOW, stores=False)
    assert not (plot / "state.sqlite").exists()
    assert manifests(plot, "garden") == []
    assert shown == stored(plot, "water", hour=3)


def test_the_store_refuses_every_change(plot: Path) -> None:
    stored(plot, "water")
    before = rows(plot)
    with state.open_state(plot) as ledger:
        for change in ("update manifests set document = '{}'", "delete from manifests"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                ledger.execute(change)
        ledger.execute(
            "insert or replace into manifests (manifest_id, project, created_at, document)"
            " values (?, 'x', 'x', '{}')",
            [before[0][0]],
        )
    assert rows(plot) == before
    assert stat.S_IMODE((plot / "state.sqlite").stat().st_mode) == 0o600


def test_manifests_are_listed_newest_first_and_page_by_page(plot: Path) -> None:
    ids = []
    for hour, query in enumerate(["water", "soil", "beans", "peas"]):
        told = stored(plot, query, hour=hour).manifest
        assert told is not None
        ids.append(told["manifest_id"])

    def listed(limit: int = 20, before: str | None = None) -> list[str]:
        return [one["manifest_id"] for one in manifests(plot, "garden", limit=limit, before=before)]

    assert listed() == ids[::-1]
    assert listed(limit=2) == [ids[3], ids[2]]
    assert listed(limit=2, before=ids[2]) == [ids[1], ids[0]]
    assert manifests(plot, "kitchen") == []
    with pytest.raises(ContextError, match="no manifest nothing"):
        listed(before="nothing")


def test_a_query_is_not_kept_in_a_manifest(plot: Path) -> None:
    told = stored(plot, "is hunter2hunter2 our password")
    assert "hunter2" not in json.dumps(told.as_json())
    assert b"hunter2" not in b"".join(path.read_bytes() for path in plot.glob("state.sqlite*"))


def test_of_many_reasons_a_manifest_keeps_those_that_tell_most(
    plot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.context.assembly.MOST_REASONS", 3)
    whole = stored(plot, "", limit=3).manifest
    assert whole is not None
    told = stored(plot, "", limit=3, budget=whole["estimated_tokens"] - 1).manifest
    assert told is not None
    assert told["exclusion_count"] == 4
    assert told["exclusion_reasons"] == {
        "mem:left:0": "withheld by unresolved conflict cf-1",
        "mem:right:0": "withheld by unresolved conflict cf-1",
        "watering": "outside the token budget",
    }


def test_a_ledger_that_is_older_than_manifests_has_none(plot: Path) -> None:
    with sqlite3.connect(plot / "state.sqlite") as ledger:
        ledger.execute("create table builds (build_id text)")
    assert manifest(plot, "x") is None
    assert manifests(plot, "garden") == []


def test_the_command_shows_what_is_given_and_a_manifest_again(plot: Path) -> None:
    code, printed, _ = tamis(plot, "context", "--project", "garden", "--budget", "60")
    assert code == 0
    assert "Peas by the port wall" in printed
    assert "unresolved conflicts: 1" in printed
    name = rows(plot)[0][0]
    code, printed, _ = tamis(plot, "context", "--manifest", name)
    assert code == 0
    assert "outside the token budget" in printed
    assert json.loads(tamis(plot, "--json", "context", "--manifest", name)[1])["manifest"][
        "created_at"
    ]


def test_the_command_gives_a_machine_nothing(plot: Path) -> None:
    question = ("context", "--project", "garden", "--trigger", "cron")
    assert tamis(plot, *question) == (0, "a machine asks: nothing is given\n", "")
    told = json.loads(tamis(plot, "--json", *question)[1])
    assert (told["manifest"], told["text"], told["memories"]) == (None, "", [])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a --project, or a --manifest"),
        (("--project", "gardn"), "no project gardn: did you mean garden?"),
        (("--project", "garden", "--ref", "refs/shared/x"), "no ref refs/shared/x"),
        (("--project", "garden", "--head", "wish"), "not reachable"),
        (("--manifest", "abc"), "no manifest abc"),
    ],
)
def test_the_command_refuses_in_one_line(plot: Path, arguments: tuple[str, ...], told: str) -> None:
    code, printed, error = tamis(plot, "context", *arguments)
    assert (code, printed) == (2, "")
    assert told in error
    assert error.count("\n") == 1


def test_a_home_where_nothing_is_published_says_so(home: Path) -> None:
    code, _, error = tamis(home, "context", "--project", "garden")
    assert code == 3
    assert "nothing is published" in error
