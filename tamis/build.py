"""Run the dbt project on a home, in a process of its own.

dbt keeps the warehouse locked until its process ends, so the build is a child: when it is
gone, checks and publishing can open the file.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tamis.errors import ENVIRONMENT, GATE_FAILED, TamisError
from tamis.home import Settings, prepare_home, project_dir
from tamis.progress import Progress
from tamis.rules.own import place_rules

# The child holds the warehouse: when its parent is killed, its standard input closes, and it
# ends. Read without Python's buffer, whose lock would be waited for when the interpreter ends.
RUN_DBT = """
import os, sys, threading

def end_with_parent():
    while os.read(0, 1024):
        pass
    os._exit(1)

threading.Thread(target=end_with_parent, daemon=True).start()
from dbt.cli.main import cli
cli(sys.argv[1:], standalone_mode=True)
"""
PROJECT_FILES = ("dbt_project.yml", "models", "macros", "seeds", "tests/invariants")


@dataclass(frozen=True)
class NodeFailure:
    """A model or test that failed: its name, dbt's word for how, and one line on why."""

    name: str
    status: str
    message: str


@dataclass(frozen=True)
class BuildReport:
    """What dbt did: nodes that passed, and those that did not."""

    passed: int
    failures: tuple[NodeFailure, ...]


def build(
    home: Path,
    settings: Settings,
    *,
    run_id: str,
    full_refresh: bool = False,
    progress: Progress | None = None,
) -> BuildReport:
    """Build every model and run every data test.

    Args:
        home: the home whose warehouse is built.
        settings: become dbt variables.
        run_id: names the build in the marts.
        full_refresh: build incremental models anew.
        progress: called with (nodes done, all nodes).

    Raises:
        TamisError: exit 2 where a rule of the user's own is wrong, exit 3 where dbt could not run
            at all.
    """
    arguments = ["build", "--exclude-resource-type", "unit_test"]
    if full_refresh:
        arguments.append("--full-refresh")
    rules = place_rules(home)
    output = run_dbt(home, settings, arguments, run_id=run_id, rules=rules, progress=progress)
    results_path = home / "dbt" / "target" / "run_results.json"
    if not results_path.exists():
        raise TamisError(f"dbt could not build {home}: {last_error(output)}", ENVIRONMENT)
    results = json.loads(results_path.read_text())["results"]
    failures = tuple(
        NodeFailure(
            result["unique_id"].split(".")[2],
            result["status"],
            without_text(result["message"] or ""),
        )
        for result in results
        if result["status"] in ("error", "fail", "runtime error")
    )
    passed = sum(result["status"] in ("success", "pass") for result in results)
    return BuildReport(passed, failures)


def run_dbt(
    home: Path,
    settings: Settings,
    arguments: list[str],
    *,
    run_id: str,
    rules: Path | None = None,
    target_path: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Run one dbt command as a child process; its log lines, JSON each, are returned.

    The rules are the packaged ones, or those below the folder `rules`.

    `run_results.json` of an earlier run is removed first, so that a command that never got to
    its nodes can't be mistaken for one that did.
    """
    prepare_home(home)
    target = target_path or home / "dbt" / "target"
    (target / "run_results.json").unlink(missing_ok=True)
    project = str(project_dir())
    command = [sys.executable, "-c", RUN_DBT, *arguments]
    command += ["--project-dir", project, "--profiles-dir", project]
    command += ["--target-path", str(target), "--log-format", "json", "--log-level-file", "none"]
    command += ["--vars", json.dumps(asdict(settings))]
    environment = {**os.environ, "TAMIS_HOME": str(home), "DO_NOT_TRACK": "1"}
    environment["TAMIS_RULES"] = str(rules or "")
    environment["DBT_ENV_CUSTOM_ENV_TAMIS_RUN_ID"] = run_id
    lines = []
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        cwd=home,
    ) as child:
        for line in child.stdout or ():
            lines.append(line)
            if progress:
                _report(line, progress)
    return lines


def load_manifest(home: Path) -> dict[str, Any]:
    """dbt's manifest of the last build.

    Raises:
        TamisError: exit 3 where nothing was built yet.
    """
    path = home / "dbt" / "target" / "manifest.json"
    if not path.exists():
        raise TamisError(f"nothing is built in {home}: run `tamis build` first", ENVIRONMENT)
    manifest: dict[str, Any] = json.loads(path.read_text())
    return manifest


def raw_tables(manifest: Mapping[str, Any]) -> list[str]:
    """Every declared raw table, `schema.table`."""
    return sorted(
        f"{source['schema']}.{source['identifier']}" for source in manifest["sources"].values()
    )


def mart_columns(manifest: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Every mart, `schema.table`, with its columns; the first is its key."""
    return {
        f"{node['schema']}.{node['name']}": tuple(node["columns"])
        for node in sorted(manifest["nodes"].values(), key=lambda node: node["name"])
        if node["resource_type"] == "model" and node["fqn"][1] == "marts"
    }


def compiled_invariants(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The compiled query of every invariant by its name."""
    return {
        node["name"]: node["compiled_code"]
        for node in sorted(manifest["nodes"].values(), key=lambda node: node["name"])
        if node["resource_type"] == "test" and "test_metadata" not in node
    }


def project_fingerprint() -> str:
    """The sha256 of every file of the project that a build depends on."""
    digest = hashlib.sha256()
    root = project_dir()
    for name in PROJECT_FILES:
        path = root / name
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.suffix in (".sql", ".yml", ".csv"):
                digest.update(file.relative_to(root).as_posix().encode() + b"\0")
                digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def gate(report: BuildReport) -> None:
    """Raise where a model or an invariant failed.

    Raises:
        TamisError: exit 1 with the first failures in one line.
    """
    if report.failures:
        told = first_of([f"{failure.name}: {failure.message}" for failure in report.failures])
        raise TamisError(f"the build failed, nothing was published: {told}", GATE_FAILED)


def first_of(failures: Sequence[str], most: int = 3) -> str:
    """The first failures in one line, and how many more there are."""
    more = len(failures) - most
    return "; ".join(failures[:most]) + (f" (and {more} more)" if more > 0 else "")


def without_text(message: str) -> str:
    """A database's error in one line, without the memory text that it may quote."""
    first = " ".join(message.split("\n")[:3])
    for quoting in ("Input:", "Could not convert string", "LINE "):
        first = first.split(quoting)[0]
    return first.strip()[:300]


def _report(line: str, progress: Progress) -> None:
    try:
        event = json.loads(line)
    except ValueError:
        return
    data = event.get("data", {})
    is_result = event.get("info", {}).get("name", "").startswith("Log") and "index" in data
    if is_result and data.get("total") and data.get("status") not in (None, "started"):
        progress(data["index"], data["total"])


def last_error(lines: list[str]) -> str:
    """The last error among dbt's log lines, in one line."""
    for line in reversed(lines):
        try:
            info = json.loads(line)["info"]
        except (ValueError, KeyError):
            continue
        if info.get("level") == "error":
            return without_text(info["msg"])
    return without_text(lines[-1]) if lines else "it said nothing"
