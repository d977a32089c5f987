"""The home folder, its settings and the ledger."""

import os
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from tamis.errors import TamisError
from tamis.home import Settings, load_settings, prepare_home, project_dir, resolve_home
from tamis.state import (
    FileState,
    builds,
    file_states,
    finish_build,
    finish_landing,
    landings,
    open_state,
    save_files,
    start_build,
    start_landing,
    state_path,
    transaction,
)

MOMENT = datetime(2026, 6, 1, 10, 0, 0)


def a_dead_pid() -> int:
    """The id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize(
    ("option", "environ", "expected"),
    [
        ("/a/b", {"TAMIS_HOME": "/c", "HOME": "/u"}, "/a/b"),
        (None, {"TAMIS_HOME": "/c", "HOME": "/u"}, "/c"),
        (None, {"TAMIS_HOME": "", "HOME": "/u"}, "/u/.tamis"),
        (None, {"HOME": "/u"}, "/u/.tamis"),
        ("~/kept", {"HOME": "/u"}, "/u/kept"),
    ],
)
def test_home_is_the_option_else_the_variable_else_the_user_folder(
    option: str | None, environ: dict[str, str], expected: str
) -> None:
    assert resolve_home(option, environ) == Path(expected)


def test_a_file_is_no_home(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TamisError, match="not a folder") as caught:
        resolve_home(str(tmp_path / "file"), {})
    assert caught.value.exit_code == 3


def test_a_new_home_is_private_and_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    prepare_home(tmp_path / "deep/home")
    assert (tmp_path / "deep/home").stat().st_mode & 0o777 == 0o700
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o755)
    prepare_home(tmp_path / "open")
    assert (tmp_path / "open").stat().st_mode & 0o777 == 0o755


def test_a_home_below_a_file_can_not_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TamisError, match="can't create the home") as caught:
        prepare_home(tmp_path / "file/home")
    assert caught.value.exit_code == 3


def test_settings_have_defaults_and_are_read(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings("default", 60)
    (tmp_path / "tamis.toml").write_text('user_id = "me"\ncapture_window_seconds = 5\n')
    assert load_settings(tmp_path) == Settings("me", 5)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("user = 1", "unknown key 'user'"),
        ("user_id = 1", "user_id must be of type str"),
        ('user_id = " "', "user_id must not be empty"),
        ("capture_window_seconds = true", "capture_window_seconds must be of type int"),
        ("capture_window_seconds = 1.5", "capture_window_seconds must be of type int"),
        ("redact_contacts = 1", "redact_contacts must be of type bool"),
        ("capture_window_seconds = -1", "capture_window_seconds must be 0 or more"),
        ("user_id =", "not valid TOML"),
    ],
)
def test_a_wrong_setting_is_refused_with_file_and_key(
    tmp_path: Path, text: str, named: str
) -> None:
    (tmp_path / "tamis.toml").write_text(text)
    with pytest.raises(TamisError) as caught:
        load_settings(tmp_path)
    assert named in str(caught.value)
    assert str(tmp_path / "tamis.toml") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_the_dbt_project_is_found() -> None:
    assert (project_dir() / "dbt_project.yml").is_file()


def test_the_ledger_is_private_and_in_wal_mode(tmp_path: Path) -> None:
    with open_state(tmp_path) as ledger:
        assert ledger.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert state_path(tmp_path).stat().st_mode & 0o777 == 0o600


def test_a_landing_whose_process_died_heals_at_the_next_read(tmp_path: Path) -> None:
    with open_state(tmp_path) as ledger:
        start_landing(ledger, "dead", MOMENT, a_dead_pid())
        start_landing(ledger, "alive", MOMENT, os.getpid())
        start_landing(ledger, "finished", MOMENT, a_dead_pid())
        finish_landing(ledger, "finished", MOMENT, "done", {"records": 7, "seconds": 0.5})
    with open_state(tmp_path) as ledger:
        found = {row["landing_id"]: (row["state"], row["records"]) for row in landings(ledger)}
    assert found == {
        "dead": ("interrupted", None),
        "alive": ("running", None),
        "finished": ("done", 7),
    }


def test_a_build_whose_process_died_has_failed(tmp_path: Path) -> None:
    with open_state(tmp_path) as ledger:
        start_build(ledger, "one", MOMENT, a_dead_pid(), "print")
        start_build(ledger, "two", MOMENT, os.getpid(), "print")
        finish_build(ledger, "two", MOMENT, "failed", "unique facts")
    with open_state(tmp_path) as ledger:
        found = {row["build_id"]: (row["state"], row["failed_gate"]) for row in builds(ledger)}
    assert found == {"one": ("failed", None), "two": ("failed", "unique facts")}


def test_reading_the_ledger_changes_no_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_state(home, read_only=True) as ledger:
        assert landings(ledger) == []
    assert not home.exists()
    with open_state(home) as ledger:
        start_landing(ledger, "one", MOMENT, os.getpid())
    before = {path: path.stat().st_mtime_ns for path in home.iterdir()}
    with open_state(home, read_only=True) as ledger:
        assert [row["landing_id"] for row in landings(ledger)] == ["one"]
        with pytest.raises(sqlite3.OperationalError):
            start_landing(ledger, "two", MOMENT, os.getpid())
    assert {path: path.stat().st_mtime_ns for path in home.iterdir()} == before


def test_file_states_belong_to_one_warehouse(tmp_path: Path) -> None:
    state = FileState("/x", "one", "claude_code__entries", 1, 2, 3, 4, 5, "ab", None, "landing")
    with open_state(tmp_path) as ledger:
        save_files(ledger, [state])
        assert file_states(ledger, "one") == {"/x": state}
        assert file_states(ledger, "another") == {}


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with open_state(tmp_path) as ledger:
        with pytest.raises(KeyError), transaction(ledger):
            start_landing(ledger, "one", MOMENT, os.getpid())
            raise KeyError("stop")
        assert landings(ledger) == []


def test_a_file_that_is_no_ledger_is_one_clear_line(tmp_path: Path) -> None:
    state_path(tmp_path).write_bytes(b"not a database" * 100)
    with pytest.raises(TamisError, match="can't open the ledger") as caught, open_state(tmp_path):
        pass
    assert caught.value.exit_code == 3
