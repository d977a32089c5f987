"""What programs rely on: one document with --json, silence with --quiet, codes, one-line errors."""

import json
import stat
from pathlib import Path

import pytest
from command_line import run_tamis

from tamis.recall.encoders import chosen_encoder
from tamis.recall.published import is_indexed
from tamis.render import one_line, safe, table


@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("doctor",),
        ("eval",),
        ("recall", "which port"),
        ("context", "--project", "web"),
        ("land", "--dry-run", "--from", "."),
    ],
)
def test_json_is_one_document_and_nothing_else(
    demo: tuple[Path, str], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run_tamis("--home", demo[0], "--json", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema_version"] == 1
    assert found["verb"] == arguments[0]
    behind = run_tamis("--home", demo[0], *arguments, "--json", cwd=tmp_path)
    assert json.loads(behind.stdout).keys() == found.keys()


def test_quiet_prints_nothing(demo: tuple[Path, str]) -> None:
    for arguments in (("eval",), ("status",), ("recall", "which port")):
        done = run_tamis("--home", demo[0], "--quiet", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--home", "no/such/home", "status"), 3),
        (("--home", "no/such/home", "recall", "x"), 3),
        (("--home", "no/such/home", "check"), 3),
        (("--home", "a home", "land", "--from", "no/such/path"), 3),
        (("--home", "a home", "land", "no_such_source"), 2),
        (("no_such_verb",), 2),
        (("recall",), 2),
        (("notebook", "no_such_notebook"), 2),
    ],
)
def test_errors_are_one_line_with_the_right_exit_code(
    tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    done = run_tamis(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if not done.stderr.startswith("Usage:"):
        assert len(done.stderr.splitlines()) == 1


def test_settings_are_checked(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "tamis.toml").write_text("capture_windows = 60\n")
    done = run_tamis("--home", home, "build")
    assert done.returncode == 2
    assert "tamis.toml" in done.stderr
    assert "capture_windows" in done.stderr


def test_a_home_is_nobody_elses_business(demo: tuple[Path, str]) -> None:
    home, _ = demo
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    for name in ("tamis.duckdb", "state.sqlite"):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600, name
    for path in (home / "published").rglob("*.parquet"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_recall_gives_machines_nothing(demo: tuple[Path, str]) -> None:
    for options in (("--trigger", "cron"), ("--session-key", "agent:main:main:heartbeat")):
        done = run_tamis("--home", demo[0], "--json", "recall", "which port", *options)
        assert json.loads(done.stdout)["facts"] == []
    done = run_tamis("--home", demo[0], "--json", "recall", "which port")
    assert json.loads(done.stdout)["facts"]


def test_a_published_build_has_an_index_that_recall_reads(demo: tuple[Path, str]) -> None:
    (build,) = [path for path in (demo[0] / "published").iterdir() if path.is_dir()]
    assert is_indexed(build, chosen_encoder("auto"))
    done = run_tamis("--home", demo[0], "--json", "recall", "which port", "--rules", "explicit")
    relevances = [fact["relevance"] for fact in json.loads(done.stdout)["facts"]]
    assert all(relevance >= 0.5 for relevance in relevances)


def test_explain_answers_line_by_line_in_order(tmp_path: Path) -> None:
    lines = [
        '{"content": "[hm session:a src:x event:stop] HEARTBEAT_OK", "role": "assistant"}',
        '{"content": "We use port 7443", "cwd": "C:\\\\", "event_id": "e1"}',
        "not json",
        '{"content": "ok.", "session_key": "agent:scout:subagent:u1"}',
        '{"content": "half a pair \\ud83d stays", "user_id": "a:b"}',
        "[1]",
        '{"content": {"not": "text"}}',
    ]
    home = tmp_path / "home"
    done = run_tamis("--home", home, "explain", input="\n".join(lines))
    assert done.returncode == 2
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(lines)
    assert found[0]["body"] == ""
    assert found[0]["steps"] == ["header", "silent token"]
    assert found[0]["noise_rule"] == "empty_body"
    assert found[1]["event_id"] == "e1"
    assert found[1]["noise_rule"] is None
    assert found[1]["project_key"] == "drive-C"
    assert found[3]["namespace"] == "default:agent:scout"
    assert found[3]["is_subagent"] is True
    assert found[4]["body"] == "half a pair \ufffd stays"
    assert found[4]["namespace"] == "a%3Ab"
    assert [place for place, answer in enumerate(found) if "error" in answer] == [2, 5, 6]


def test_a_lines_verdict_does_not_depend_on_its_batch(tmp_path: Path) -> None:
    home = tmp_path / "home"
    texts = ["ok.", "We use port 7443", "<private>a</private>b", "HEARTBEAT_OK", ""]
    lines = [
        json.dumps({"content": texts[number % 5], "session_id": "s"}) for number in range(7000)
    ]
    together = run_tamis("--home", home, "explain", input="\n".join(lines)).stdout.splitlines()
    assert len(together) == len(lines)
    for number in range(5):
        alone = run_tamis("--home", home, "explain", input=lines[number]).stdout.strip()
        assert set(together[number::5]) == {alone}


def test_a_terminal_is_sent_no_control_characters() -> None:
    assert safe("\x1b[31mred\x07\u202e") == "\\x1b[31mred\\x07\\x202e"
    assert one_line("a\n\tb\x1bc" + "d" * 100, 10) == "a b\\x1bcd…"
    assert table([("a", 1), ("bb", 22)], ("name", "count")).splitlines()[-1] == "bb       22"


def test_a_given_folder_without_captures_is_no_usual_place(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "shopping.txt").write_text("bread\n")
    done = run_tamis("--home", tmp_path / "home", "land", "--from", tmp_path / "notes")
    assert done.stdout.splitlines() == [
        "no captures found",
        "1 file skipped, of no source that tamis reads: `tamis doctor` lists them",
    ]
