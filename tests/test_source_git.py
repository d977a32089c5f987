"""What git says of the folders that captures name, in every state that such a folder can be in."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from landing_home import append, claude, land_into, query, write

from tamis.landing.intake import value_at
from tamis.sources.git import checkout


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder with an identity of its own."""
    own = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=own, check=True, capture_output=True
    )


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A repository with one commit and a remote."""
    top = tmp_path / "app"
    top.mkdir()
    git(top, "init", "--quiet")
    git(top, "commit", "--quiet", "--allow-empty", "-m", "first")
    git(top, "remote", "add", "origin", "https://example.org/team/app.git")
    return top.resolve()


def other_git(folder: Path, script: str) -> dict[str, str]:
    """An environment whose git is a shell script; $GIT in it is the real one."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!/bin/sh\nGIT='{shutil.which('git')}'\n{script}\n")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def answer(cwd: Path | str, environ: dict[str, str] | None = None) -> Any:
    text = checkout(str(cwd), environ or dict(os.environ))
    return text and json.loads(text)


def test_a_folder_inside_the_git_folder_belongs_to_its_repository(app: Path) -> None:
    found = answer(app / ".git" / "refs")
    assert (found["top_level"], found["common_dir"]) == (None, str(app / ".git"))
    assert (found["is_worktree"], found["is_bare"]) == (False, False)
    assert found["remote"] == "https://example.org/team/app.git"


def test_a_bare_repository_has_no_top_level(app: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(app), "app.git")
    found = answer(tmp_path / "app.git")
    assert (found["is_bare"], found["top_level"]) == (True, None)
    assert (found["common_dir"], found["remote"]) == (str(tmp_path / "app.git"), str(app))


def test_a_link_to_a_folder_is_answered_for_the_folder_it_means(app: Path, tmp_path: Path) -> None:
    (app / "inner").mkdir()
    (tmp_path / "link").symlink_to(app / "inner", target_is_directory=True)
    found = answer(tmp_path / "link")
    assert found["cwd"] == str(tmp_path / "link")
    assert (found["top_level"], found["common_dir"]) == (str(app), str(app / ".git"))


def test_without_origin_the_first_remote_counts_and_passwords_never(app: Path) -> None:
    git(app, "remote", "rename", "origin", "upstream")
    git(app, "remote", "add", "zebra", "ssh://git:pass@example.org:22/zebra.git")
    assert answer(app)["remote"] == "https://example.org/team/app.git"
    git(app, "remote", "remove", "upstream")
    assert answer(app)["remote"] == "ssh://example.org:22/zebra.git"


@pytest.mark.parametrize("cwd", ["", "relative/path", "C:\\work\\app", "/no/such/folder", "/\0"])
def test_what_is_no_folder_here_is_not_asked_about(cwd: str) -> None:
    assert answer(cwd) is None


def test_a_file_and_a_folder_that_can_not_be_entered_are_no_trouble(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "x")
    assert answer(path) is None
    refusing = other_git(tmp_path / "bin", 'echo "fatal: cannot change to x" >&2; exit 128')
    found = answer(tmp_path, refusing)
    assert (found["cwd"], found["top_level"], "refused" in found) == (str(tmp_path), None, False)


def test_a_git_that_hangs_is_given_up_and_asked_again_next_time(
    home: Path, folder: Path, app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.sources.git.TIMEOUT_SECONDS", 0.3)
    hanging = other_git(tmp_path / "bin", "exec sleep 30")
    path = write(folder / "a.jsonl", claude("first", cwd=str(app)))
    report = land_into(home, folder, environ=hanging)
    assert (report.new_records, report.failed) == (1, ())
    monkeypatch.undo()
    append(path, claude("second", cwd=str(app)) + "\n")
    land_into(home, folder, environ=dict(os.environ))
    assert query(home, "select container from raw.git__checkouts") == [(str(app),)]


def test_a_missing_git_is_no_trouble(home: Path, folder: Path, app: Path, tmp_path: Path) -> None:
    write(folder / "a.jsonl", claude("first", cwd=str(app)))
    report = land_into(home, folder, environ={"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert (report.new_records, report.failed) == (1, ())
    assert query(home, "select count(*) from raw.git__checkouts") == [(0,)]


def test_a_refusal_is_noted_and_asked_again_until_git_answers(
    home: Path, folder: Path, app: Path, tmp_path: Path
) -> None:
    """Git looks into no repository of another user that is not in safe.directory."""
    strange = 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$GIT" "$@"'
    refusing = {**other_git(tmp_path / "bin", strange), "HOME": str(tmp_path)}
    path = write(folder / "a.jsonl", claude("first", cwd=str(app)))
    land_into(home, folder, environ=refusing)
    append(path, claude("second", cwd=str(app)) + "\n")
    land_into(home, folder, environ=refusing)
    [(payload,)] = query(home, "select payload from raw.git__checkouts")
    found = json.loads(payload)
    assert (found["cwd"], found["top_level"], found["remote"]) == (str(app), None, None)
    assert "safe.directory" in found["refused"]
    append(path, claude("third", cwd=str(app)) + "\n")
    land_into(home, folder, environ=dict(os.environ))
    append(path, claude("fourth", cwd=str(app)) + "\n")
    land_into(home, folder, environ=dict(os.environ))
    answers = query(home, "select payload ->> '$.top_level' from raw.git__checkouts order by all")
    assert answers == [(str(app),), (None,)]


def test_a_working_folder_is_found_where_the_recipe_says(folder: Path) -> None:
    line = {"type": "session_meta", "payload": {"cwd": "/work"}, "cwd": "/other"}
    assert value_at(line, "$.payload.cwd") == "/work"
    assert value_at(line, "$.cwd") == "/other"
    assert value_at(line, "$.payload.none.cwd") is None
    assert value_at(["cwd"], "$.cwd") is None


def test_a_folder_named_by_a_line_with_a_lone_surrogate_is_asked_about(
    home: Path, folder: Path, app: Path
) -> None:
    line = json.loads(claude("x", cwd=str(app)))
    line["message"]["content"] = "half \ud83d"
    write(folder / "a.jsonl", json.dumps(line))
    land_into(home, folder, environ=dict(os.environ))
    assert query(home, "select container from raw.git__checkouts") == [(str(app),)]
