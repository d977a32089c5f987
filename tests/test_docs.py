"""What the documents say is what happens: their commands run, their figures are the demo's."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli import main
from tamis.demo import write_captures

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
BINARIES = Path(sys.executable).parent
# The set-up of a clean machine is what .ci/run executes, word for word.
SET_UP = ("python3 -m venv", ".venv/bin/pip install")


def commands(document: Path) -> list[str]:
    """The lines of a document's shell blocks, those that set a machine up apart."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", document.read_text(), flags=re.S | re.M)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if not line.startswith(SET_UP)]


@pytest.fixture(scope="session")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's home folder with captures at the usual places."""
    folder = tmp_path_factory.mktemp("user")
    captures = write_captures(folder / "captures")
    shutil.copytree(captures / "claude" / "projects", folder / ".claude" / "projects")
    shutil.copytree(captures / "openclaw", folder / ".openclaw")
    shutil.copytree(captures / "hive-mind", folder / ".hive-mind")
    shutil.rmtree(captures)
    return folder


@pytest.mark.parametrize(
    ("document", "command"),
    [(document.name, command) for document in DOCUMENTS for command in commands(document)],
)
def test_every_documented_command_runs(user: Path, document: str, command: str) -> None:
    line = command.replace(".venv/bin/", f"{BINARIES}/")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TAMIS_", "CLAUDE_", "CODEX_", "OPENCLAW_"))
    }
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=user,
        env={**environment, "HOME": str(user)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_readme_shows_what_the_demo_prints(demo: tuple[Path, str]) -> None:
    _, printed = demo
    readme = (PROJECT / "README.md").read_text()
    for line in printed.splitlines():
        if line.startswith("refused:"):
            shown = next(row for row in readme.splitlines() if row.startswith("refused:"))
            assert line.startswith(shown.removesuffix("…").rstrip())
        else:
            assert line in readme.splitlines(), f"README.md does not show {line!r}"
    for name, before, after in re.findall(r"^(\S+)\s{2,}(\S+)\s{2,}(\S+)$", printed, flags=re.M):
        if not name.startswith("-"):
            cells = (
                rf"\|\s*{re.escape(name)}\s*\|\s*{re.escape(before)}\s*\|\s*{re.escape(after)}\s*\|"
            )
            assert re.search(cells, readme), f"README.md's table says otherwise of {name}"


def test_the_readme_is_short() -> None:
    assert len((PROJECT / "README.md").read_text().splitlines()) <= 150


def test_every_verb_is_in_the_readme_and_has_help() -> None:
    readme = (PROJECT / "README.md").read_text()
    for name, command in main.commands.items():
        assert command.help, name
        assert re.search(rf"\b{name}\b", readme), f"README.md does not name {name}"
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_every_invariant_is_explained() -> None:
    page = (PROJECT / "docs" / "invariants.md").read_text()
    names = {path.stem for path in (PROJECT / "tests" / "invariants").glob("*.sql")}
    assert set(re.findall(r"^\| `(\w+)` \|", page, flags=re.M)) == names


def test_every_model_behind_staging_is_listed() -> None:
    page = (PROJECT / "docs" / "models.md").read_text()
    models = {
        path.stem for path in (PROJECT / "models").glob("*/*.sql") if path.parent.name != "staging"
    }
    assert set(re.findall(r"^\| `((?!stg_)\w+)` \| [^|]+ \| [^|]+ \|$", page, flags=re.M)) == models


def test_every_table_has_its_line_of_dashes() -> None:
    # Without one, a table is shown as text with bars in it.
    for page in [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")]:
        lines = ["", *page.read_text().splitlines(), ""]
        for before, line, after in zip(lines, lines[1:], lines[2:], strict=False):
            if line.startswith("|") and not before.startswith("|"):
                assert re.fullmatch(r"(?:\|:?-+:?)+\|", after), f"{page.name}: {line}"


def test_help_and_status_load_no_heavy_library(tmp_path: Path) -> None:
    for arguments in (["--help"], ["--home", str(tmp_path), "status"]):
        code = (
            "import sys; from click.testing import CliRunner; from tamis.cli import main\n"
            f"result = CliRunner().invoke(main, {arguments!r})\n"
            "assert result.exit_code == 0, result.output\n"
            "heavy = {'dbt', 'great_expectations', 'marimo', 'pandas', 'polars', 'pyarrow',"
            " 'fastapi', 'mcp', 'pydantic', 'uvicorn'}\n"
            "print(sorted(heavy & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.strip() == "[]", (arguments, done.stdout, done.stderr)


def test_no_machine_path_or_capture_is_in_the_tree() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.split()
    for name in tracked:
        if name == "uv.lock":
            continue
        text = (PROJECT / name).read_bytes()
        assert str(PROJECT).encode() + b"/" not in text, name
