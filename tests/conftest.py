"""Fixtures that every test may use."""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run_tamis
from filelock import FileLock
from postgres_server import running_server

from tamis.demo import write_captures

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """The command line makes new files the user's alone, also where a test calls it in process."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases, samples and real captures; tests that need it skip without it."""
    folder = Path(os.environ.get("TAMIS_SHARED", PROJECT.parent / "shared"))
    if not (folder / "samples").is_dir():
        pytest.skip("no reference captures: set TAMIS_SHARED to the folder that holds them")
    return folder


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_captures(tmp_path_factory.mktemp("captures"))


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home that the demo built, and what the demo printed."""
    home = tmp_path_factory.mktemp("demo") / "home"
    done = run_tamis("--home", home, "demo")
    assert done.returncode == 0, done.stderr
    return home, done.stdout


@pytest.fixture(scope="session")
def built_sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home into which the captures of every source (tests/captures) were landed and built.

    The first worker builds it for all of them: its tests only read.
    """
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    place, done = place / "sources", place / "sources.done"
    with FileLock(place.with_suffix(".lock")):
        if not done.exists():
            for module in sorted((PROJECT / "tests" / "captures").glob("*.py")):
                importlib.import_module(f"captures.{module.stem}").write(
                    place / "from" / module.stem
                )
            for arguments in (["land", "--from", place / "from"], ["build"]):
                built = run_tamis("--home", place / "home", *arguments)
                assert built.returncode == 0, built.stdout + built.stderr
            done.touch()
    return place / "home"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a database on a real server, the same one for all tests of a session."""
    with running_server() as address:
        yield address


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "captures"
