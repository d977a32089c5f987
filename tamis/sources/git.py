"""What git says of the folders that sessions worked in: asked here, or read from a file."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.sources.source import Answer, Lines, Source, compact_json, text_or_none

TIMEOUT_SECONDS = 5
DUBIOUS = b"dubious ownership"
CREDENTIALS = re.compile(r"(?<=://)[^/]*@")


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """None: checkout files are given with --from, folders come from the sessions."""
    return []


def recognise(path: Path, head: bytes) -> Answer | None:
    """Files named `*.checkouts.jsonl`."""
    return CHECKOUTS if path.name.endswith(".checkouts.jsonl") else None


def checkout_cwd(line: dict[str, Any]) -> str | None:
    """The folder a line is about."""
    return text_or_none(line.get("cwd"))


def name_of(path: Path) -> str:
    """The file name without its ending."""
    return path.name.removesuffix(".checkouts.jsonl")


def checkout(cwd: str, environ: Mapping[str, str]) -> str | None:
    """What git says of a folder, as JSON text in the form of a checkouts file.

    Args:
        cwd: the folder as a session wrote it.
        environ: for PATH and HOME; variables that redirect git are left out.

    Returns:
        cwd, top_level, common_dir, remote, is_worktree, is_bare, superproject, with nulls where
        the folder is in no repository, or git refuses to look into it: then `refused` says why.
        None when the folder is not on this machine, or git is missing or gives no answer in time.
    """
    git = shutil.which("git", path=environ.get("PATH"))
    if git is None or not is_local_folder(cwd):
        return None
    try:
        return compact_json({"type": "git_checkout", **ask(git, cwd, environ)})
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None


def is_local_folder(cwd: str) -> bool:
    """Whether the text is an absolute path of a folder on this machine."""
    try:
        return Path(cwd).is_absolute() and Path(cwd).is_dir()
    except (OSError, ValueError):
        return False


def ask(git: str, cwd: str, environ: Mapping[str, str]) -> dict[str, Any]:
    """The answers for one folder, without the type."""
    own = {key: value for key, value in environ.items() if not key.startswith("GIT_")}
    own |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [git, "-C", cwd, *arguments],
            env=own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    def lines(*arguments: str) -> list[str]:
        done = run(*arguments)
        return done.stdout.decode("utf-8", "replace").splitlines() if done.returncode == 0 else []

    answer: dict[str, Any] = {
        "cwd": cwd,
        "top_level": None,
        "common_dir": None,
        "remote": None,
        "is_worktree": False,
        "is_bare": False,
        "superproject": None,
    }
    found = run(
        "rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--git-dir",
        "--git-common-dir",
    )  # fmt: skip
    if DUBIOUS in found.stderr:
        return {**answer, "refused": "the repository is another user's, and not in safe.directory"}
    about = found.stdout.decode("utf-8", "replace").splitlines()
    if found.returncode or len(about) < 4:
        return answer
    # Git gives paths relative to the folder it was asked in, unless they lie above it.
    git_dir, common_dir = (Path(cwd, path).resolve() for path in about[2:4])
    answer |= {
        "common_dir": str(common_dir),
        "is_worktree": git_dir != common_dir,
        "is_bare": about[0] == "true",
    }
    if about[1] == "true":
        tree = lines("rev-parse", "--show-toplevel", "--show-superproject-working-tree")
        answer |= {"top_level": tree[0] if tree else None}
        answer |= {"superproject": tree[1] if len(tree) > 1 else None}
    remotes = lines("config", "--get-regexp", r"^remote\..*\.url$")
    urls = dict(line.split(" ", 1) for line in remotes if " " in line)
    if urls:
        url = urls.get("remote.origin.url", next(iter(urls.values())))
        # A password in a remote helps nobody to tell projects apart.
        answer["remote"] = CREDENTIALS.sub("", url)
    return answer


CHECKOUTS = Lines(
    entity="git__checkouts",
    session_of=checkout_cwd,
    session_token=b'"cwd"',
    name_of=name_of,
    session_path="$.cwd",
)

GIT = Source(name="git", entities=("git__checkouts",), roots=roots, recognise=recognise)
