"""The notebooks in a real headless Chromium, over a published build and over an empty home."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest
from handmade_build import fact, rejection, source, write_build
from handmade_history import write_history
from playwright.sync_api import Browser, Page, sync_playwright

from tamis.cli import notebook
from tamis.demo import QUESTIONS
from tamis.evaluation.golden import load_questions

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
PAGE_MS = 60_000
START_SECONDS = 60
BROKEN_NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    mo.md("# This cell is fine")
    return


@app.cell
def _():
    1 / 0
    return
"""
ERROR_MARKS = ("Traceback", "An internal error", "This cell wasn't run", "This cell raised")


@dataclass
class Seen:
    """What the browser reported while a page was open."""

    page_errors: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no chromium on the PATH: apt-get install chromium to run the notebook tests")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def published_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    texts = dict.fromkeys(text for one in load_questions(QUESTIONS) for text in one.expected)
    facts = [
        fact(f"f{i}", text, project_key="git.example/shop/api" if i < 8 else "unknown-project")
        for i, text in enumerate(texts)
    ]
    markup = "**Bold** <script>window.broken = true</script> stays text"
    facts.append(fact("markup", markup, capture_count=5))
    sources = [source(f"e{i}", row["fact_id"]) for i, row in enumerate(facts)]
    sources += [source(f"r{i}", f"f{i}", "repeat", source_system="hive_mind") for i in range(9)]
    rejections = [rejection(f"n{i}", "HEARTBEAT_OK", "heartbeat_reply") for i in range(6)]
    rejections += [rejection("t1", "port = 8443"), rejection("t2", None, "empty_body")]
    write_build(home, facts, sources, rejections)
    return home


@contextmanager
def served(notebook: Path, home: Path, log: Path) -> Iterator[str]:
    """Serve a notebook as `marimo run` does; yields its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "marimo", "run", str(notebook)]
    command += ["--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            env=os.environ | {"TAMIS_HOME": str(home)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START_SECONDS
        while not _answers(address):
            said = log.read_text(errors="replace")
            assert server.poll() is None, f"marimo ended before it answered:\n{said}"
            assert time.monotonic() < deadline, f"marimo did not answer:\n{said}"
            time.sleep(0.2)
        yield address
    finally:
        # The kernel is a child of the server: the whole group that was started here has to go.
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(10)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[tuple[Page, Seen]]:
    seen = Seen()
    page = browser.new_page(viewport={"width": 1280, "height": 2400})
    page.set_default_timeout(PAGE_MS)
    page.on("pageerror", lambda error: seen.page_errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            seen.console_errors.append(message.text)
            # What marimo fetches from elsewhere (fonts, news) is no part of a cell.
            if message.type == "error" and "Failed to load resource" not in message.text
            else None
        ),
    )
    try:
        page.goto(address)
        yield page, seen
    finally:
        page.close()


def assert_no_errors(page: Page, seen: Seen) -> None:
    page.wait_for_timeout(500)
    text = page.locator("body").inner_text()
    assert [mark for mark in ERROR_MARKS if mark in text] == []
    assert page.locator(".marimo-error, [data-testid=marimo-error]").count() == 0
    assert seen.page_errors == []
    assert seen.console_errors == []


@pytest.mark.parametrize(
    ("notebook", "headings", "charts", "words"),
    [
        (
            "curation.py",
            [
                "What became of the events",
                "By source",
                "By reason",
                "The biggest rules",
                "Examples",
            ],
            3,
            ["heartbeat_reply", "empty_body", "**Bold** <script>"],
        ),
        (
            "recall.py",
            ["Recall before and after", "Question by question", "By category", "Won and lost"],
            1,
            ["Every expected text is still held", "slot_waste_at_10", "배포를 하는 요일과 시간은?"],
        ),
        (
            "own_store.py",
            ["Recall on your own store", "Won and lost", "The questions"],
            1,
            ["slot_waste_at_10", "nobody judged them"],
        ),
    ],
)
def test_notebook_shows_the_published_build(
    browser: Browser,
    published_home: Path,
    tmp_path: Path,
    notebook: str,
    headings: list[str],
    charts: int,
    words: list[str],
) -> None:
    with (
        served(NOTEBOOKS / notebook, published_home, tmp_path / "marimo.log") as address,
        opened(browser, address) as (page, seen),
    ):
        for heading in headings:
            page.get_by_role("heading", name=heading).wait_for()
        for word in words:
            page.get_by_text(word).first.wait_for()
        plots = page.locator(".vega-embed canvas, .vega-embed svg.marks")
        plots.nth(charts - 1).wait_for()
        assert plots.count() >= charts
        assert page.evaluate("window.broken") is None
        assert_no_errors(page, seen)


def test_rules_are_looked_at_and_tried_in_the_browser(
    browser: Browser, published_home: Path, tmp_path: Path
) -> None:
    held = sorted(published_home.rglob("*"))
    with (
        served(NOTEBOOKS / "rules.py", published_home, tmp_path / "marimo.log") as address,
        opened(browser, address) as (page, seen),
    ):
        page.get_by_role("heading", name="What the rules refuse").wait_for()
        page.locator("mark", has_text="HEARTBEAT_OK").first.wait_for()
        assert page.locator("mark").count() == 6

        page.get_by_label("pattern").fill("script>window[.]broken")
        page.get_by_label("name", exact=True).fill("no_scripts")
        page.get_by_role("button", name="Try").click()
        page.locator("mark", has_text="script>window.broken").first.wait_for()
        page.get_by_text("no_scripts,script>window[.]broken").wait_for()
        page.get_by_text("newly refused").wait_for()
        assert page.evaluate("window.broken") is None

        page.get_by_label("pattern").fill("a(?=b)")
        page.get_by_role("button", name="Try").click()
        page.get_by_text("opens a lookaround").wait_for()

        page.get_by_label("text", exact=True).fill(
            "[hm session:s src:x event:stop] ok. <b>Thanks</b>"
        )
        page.get_by_role("button", name="Explain").click()
        page.get_by_text('"rules_version"').wait_for(timeout=3 * PAGE_MS)
        page.get_by_text("<b>Thanks</b>").first.wait_for()
        assert_no_errors(page, seen)
    assert sorted(published_home.rglob("*")) == held


def test_history_is_drawn_as_it_came_to_be(browser: Browser, tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_history(home)
    with (
        served(NOTEBOOKS / "history.py", home, tmp_path / "marimo.log") as address,
        opened(browser, address) as (page, seen),
    ):
        for heading in ("How memory came to be", "life line", "Changesets", "What a head showed"):
            page.get_by_role("heading", name=heading).wait_for()
        plots = page.locator(".vega-embed canvas, .vega-embed svg.marks")
        plots.nth(1).wait_for()
        for word in (
            "the port moved",
            "Water at six",
            "withheld by unresolved conflict cf-1",
            "<b>1</b>",
        ):
            page.get_by_text(word).first.wait_for()
        assert_no_errors(page, seen)


@pytest.mark.parametrize(
    "notebook", ["curation.py", "history.py", "own_store.py", "recall.py", "rules.py"]
)
def test_notebook_is_friendly_without_a_build(
    browser: Browser, tmp_path: Path, notebook: str
) -> None:
    home = tmp_path / "empty-home"
    with (
        served(NOTEBOOKS / notebook, home, tmp_path / "marimo.log") as address,
        opened(browser, address) as (page, seen),
    ):
        page.get_by_role("heading", name="Nothing is published yet").wait_for()
        page.get_by_text("tamis run").first.wait_for()
        assert_no_errors(page, seen)
    assert not home.exists()


def test_every_notebook_is_opened_by_its_name() -> None:
    named = next(one for one in notebook.params if one.name == "name")
    assert isinstance(named.type, click.Choice)
    assert set(named.type.choices) == {path.stem for path in NOTEBOOKS.glob("*.py")}


def test_a_cell_that_fails_is_noticed(browser: Browser, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN_NOTEBOOK)
    with (
        served(broken, tmp_path, tmp_path / "marimo.log") as address,
        opened(browser, address) as (page, seen),
    ):
        page.get_by_role("heading", name="This cell is fine").wait_for()
        with pytest.raises(AssertionError):
            assert_no_errors(page, seen)


def test_marimo_finds_nothing_to_complain_about() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "marimo", "check", "--strict", *sorted(NOTEBOOKS.glob("*.py"))],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
