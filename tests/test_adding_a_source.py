"""The documented example of a new source, followed to the letter in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb

PROJECT = Path(__file__).resolve().parents[1]
PARTS = ("dbt_project.yml", "profiles.yml", "macros", "models", "seeds", "tamis", "tests")


def blocks() -> dict[str, str]:
    """The example's code, by the file that the text before it names."""
    text = (PROJECT / "docs" / "sources.md").read_text()
    example = text.split("## Adding a source, by example")[1].split("\n## ")[0]
    found = {}
    for said, code in re.findall(r"((?:[^`]|`(?!``))*)```[a-z]+\n(.*?)```", example, flags=re.S):
        found[re.findall(r"`([\w./~]+\.\w+)`", said)[-1]] = code
    return found


def add_after(path: Path, mark: str, addition: str) -> None:
    text = path.read_text()
    assert text.count(mark) == 1
    path.write_text(text.replace(mark, mark + addition))


def test_a_new_source_is_a_module_a_model_a_fixture_and_a_line(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for part in PARTS:
        copy = shutil.copytree if (PROJECT / part).is_dir() else shutil.copy
        project.mkdir(exist_ok=True)
        copy(PROJECT / part, project / part)
    told = blocks()
    for name in (
        "tamis/sources/jot.py",
        "models/staging/stg_jot__events.sql",
        "tests/captures/jot.py",
    ):
        (project / name).write_text(told[name])
    for name in ("_sources.yml", "_staging.yml"):
        path = project / "models/staging" / name
        path.write_text(path.read_text().rstrip("\n") + "\n" + told[f"models/staging/{name}"])
    kinds = project / "seeds/record_kinds.csv"
    kinds.write_text(kinds.read_text() + told["seeds/record_kinds.csv"])
    sources = project / "tamis/sources/__init__.py"
    add_after(sources, "from tamis.sources.hive_mind import HIVE_MIND\n", told_import(told))
    add_after(sources, "    HIVE_MIND,\n", "    JOT,\n")
    add_after(
        project / "models/staging/stg_tamis__sightings.sql",
        '"stg_hive_mind__events",\n',
        '"stg_jot__events",\n',
    )
    add_after(
        project / "models/staging/stg_tamis__records.sql",
        '"claude_code__entries": "$.type",\n',
        '"jot__notes": none,\n',
    )
    home = tmp_path / "home"
    script = f"from captures.jot import write; from pathlib import Path; write(Path({str(home)!r}"
    run(project, "-c", script + ").parent / 'jot')")
    run(project, "-m", "tamis", "--home", home, "land", "--from", tmp_path / "jot")
    run(project, "-m", "tamis", "--home", home, "build")
    with duckdb.connect(str(home / "tamis.duckdb"), read_only=True) as warehouse:
        facts = warehouse.execute(
            "select text, capture_count, t_valid::varchar from marts.facts order by text"
        ).fetchall()
        unknown = warehouse.execute(
            "select count(*) from intermediate.int_record_kinds_counted where not is_known"
        ).fetchall()
    assert facts == [
        ("The wiki moved", 2, "2026-06-01 10:01:00"),
        ("We release on Tuesdays", 1, "2026-06-01 10:00:00"),
    ]
    assert unknown == [(0,)]


def told_import(told: dict[str, str]) -> str:
    """The import line, from the name that the module gives its source."""
    name = re.findall(r"^([A-Z]+) = Source\(", told["tamis/sources/jot.py"], flags=re.M)[0]
    return f"from tamis.sources.jot import {name}\n"


def run(project: Path, *arguments: object) -> None:
    """Run Python in the copy of the project, which must come before any installed one."""
    paths = os.pathsep.join([str(project), str(project / "tests")])
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=project,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
