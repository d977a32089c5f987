"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases, samples and real captures; tests that need it skip without it."""
    folder = Path(os.environ.get("TAMIS_SHARED", PROJECT.parent / "shared"))
    if not (folder / "samples").is_dir():
        pytest.skip(f"no shared captures at {folder}: set TAMIS_SHARED to run this test")
    return folder
