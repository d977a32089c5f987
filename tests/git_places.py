"""Real git repositories in every place that a session can work in."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tamis.sources.git import checkout

OWN = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}
SETTINGS = ("user.name=t", "user.email=t@example.org", "protocol.file.allow=always")


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder with an identity of its own."""
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    subprocess.run(
        ["git", *settings, *arguments], cwd=folder, env=OWN, check=True, capture_output=True
    )


def repository(folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")
    return folder


def write_places(root: Path) -> None:
    """Namesakes, worktrees, a submodule, a bare and a nested repository, a link, plain folders."""
    for name in ("work/monorepo", "personal/monorepo", "lib/sub", "My Repo (v2)", "项目"):
        repository(root / name)
    work, personal = root / "work/monorepo", root / "personal/monorepo"
    for folder in (work / "packages/deep/nested", root / "plain/dir"):
        folder.mkdir(parents=True)
    git(work, "worktree", "add", "--quiet", "-b", "feature-x", str(root / "work/feature-x"))
    (root / "work/feature-x/packages/n").mkdir(parents=True)
    git(work, "worktree", "add", "--quiet", str(work / ".worktrees/hare"))
    git(personal, "worktree", "add", "--quiet", "-b", "feature-x", str(root / "personal/feature-x"))
    git(personal, "submodule", "--quiet", "add", str(root / "lib/sub"), "vendor/sub")
    (root / "bare").mkdir()
    git(root / "bare", "clone", "--quiet", "--bare", str(root / "lib/sub"), "sub.git")
    git(root / "bare/sub.git", "worktree", "add", "--quiet", "-b", "one", str(root / "bare/wt1"))
    (root / "link").symlink_to(work, target_is_directory=True)
    repository(work / "inner/nestedrepo")


def answers(root: Path, folders: list[str], shown: str) -> list[dict[str, Any]]:
    """What git says of folders, as if the root stood at another path.

    Tests run in temporary folders, which are never projects.
    """
    found = []
    for folder in folders:
        text = checkout(folder.replace(shown, str(root)), OWN)
        if text is not None:
            found.append(json.loads(text.replace(str(root), shown)))
    return found
