"""The command line, run as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def run_tamis(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=900,
        **options,  # type: ignore[arg-type]
    )


def run_models(home: Path, *models: str) -> None:
    """Run a few of the models, and the seeds among them, over what a home landed."""
    kinds = ["--resource-type", "model", "--resource-type", "seed"]
    places = {"TAMIS_HOME": home, "DBT_TARGET_PATH": home / "t", "DBT_LOG_PATH": home / "l"}
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", "build", "-q", *kinds, "-s", *models],
        cwd=PROJECT,
        env={**os.environ, **{name: str(place) for name, place in places.items()}},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
