"""`land --watch`: real processes that are fed, rotated, blocked and stopped."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import run_tamis
from landing_home import CLAUDE, append, claude, payloads, query, write

from tamis.state import landings, open_state
from tamis.warehouse import writer

PATIENCE_SECONDS = 90


@dataclass
class Watcher:
    """A running `land --watch`, with its output in two files."""

    process: subprocess.Popen[bytes]
    home: Path
    output: Path
    errors: Path

    def lines(self) -> list[str]:
        return self.output.read_text().splitlines()

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is so; slow machines have time."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            told = self.output.read_text() + self.errors.read_text()
            assert self.process.poll() is None, f"it ended before {what}: {told}"
            assert time.monotonic() < end, f"waited in vain for {what}: {told}"
            time.sleep(0.05)

    def wait_for_records(self, *texts: str) -> None:
        """Wait until all these texts have landed, as the ledger tells it."""
        self.wait_for(lambda: new_records(self.home) >= len(texts), f"{len(texts)} records")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)


def new_records(home: Path) -> int:
    """How many records finished landings brought."""
    if not (home / "state.sqlite").exists():
        return 0
    with open_state(home, read_only=True) as ledger:
        try:
            return sum(row["new_records"] or 0 for row in landings(ledger, limit=1000))
        except sqlite3.DatabaseError:
            return 0


@contextmanager
def watching(home: Path, *arguments: object, before: tuple[str, ...] = ()) -> Iterator[Watcher]:
    """A watch that listens already; it is killed at the end if it still runs."""
    output, errors = home.with_name("watch.out"), home.with_name("watch.err")
    command = [sys.executable, "-m", "tamis", "--home", home, *before, "land", "--watch"]
    environ = {**os.environ, "HOME": str(home.parent)}
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [*map(str, command), *map(str, arguments)], stdout=out, stderr=err, env=environ
        )
    try:
        yield Watcher(process, home, output, errors)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_lands_what_is_there_then_what_comes_and_ends_cleanly(
    home: Path, folder: Path, number: signal.Signals
) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    with watching(home, "--from", folder, before=("--json",)) as watcher:
        watcher.wait_for_records("first")
        append(path, claude("second") + "\n" + claude("third")[:20])
        watcher.wait_for_records("first", "second")
        append(path, claude("third")[20:] + "\n")
        watcher.wait_for_records("first", "second", "third")
        write(folder / "new/er/b.jsonl", claude("fourth"))
        watcher.wait_for_records("first", "second", "third", "fourth")
        assert watcher.end(number) == 0
        documents = [json.loads(line) for line in watcher.lines()]
    assert "Traceback" not in watcher.errors.read_text()
    assert {document["schema_version"] for document in documents} == {1}
    assert {document["verb"] for document in documents} == {"land"}
    new = [sum(one["new_records"] for one in document["entities"]) for document in documents]
    assert sum(new) == 4
    assert payloads(home) == sorted(claude(text) for text in ("first", "second", "third", "fourth"))
    with open_state(home) as ledger:
        assert {row["state"] for row in landings(ledger)} == {"done"}


def test_it_survives_rotation_deletion_and_places_that_come_and_go(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    later = tmp_path / "later"
    with watching(home, "--from", folder, "--from", later) as watcher:
        watcher.wait_for_records("first")
        path.rename(folder / "a.1.jsonl")
        write(path, claude("second"))
        watcher.wait_for_records("first", "second")
        path.unlink()
        write(later / "c.jsonl", claude("third"))
        watcher.wait_for_records("first", "second", "third")
        later.rename(tmp_path / "moved")
        write(later / "d.jsonl", claude("fourth"))
        watcher.wait_for_records("first", "second", "third", "fourth")
        append(later / "d.jsonl", claude("fifth") + "\n")
        watcher.wait_for_records("first", "second", "third", "fourth", "fifth")
        assert watcher.end() == 0
    assert "could not read" not in watcher.errors.read_text()
    texts = ("first", "second", "third", "fourth", "fifth")
    assert payloads(home) == sorted(claude(text) for text in texts)


def test_the_usual_places_may_appear_later_and_databases_grow_in_their_wal(
    home: Path, tmp_path: Path
) -> None:
    with watching(home) as watcher:
        watcher.wait_for(lambda: "watching" in watcher.errors.read_text(), "its first note")
        place = tmp_path / ".claude/projects/-x"
        write(place / "a.jsonl", claude("first"))
        watcher.wait_for_records("first")
        mind = tmp_path / ".hive-mind/global.mind"
        mind.parent.mkdir()
        owner = sqlite3.connect(mind)
        owner.execute("pragma journal_mode = wal")
        owner.execute("create table memory_frames (id integer primary key, content text)")
        owner.execute("insert into memory_frames (content) values ('one')")
        owner.commit()
        watcher.wait_for_records("first", "one")
        owner.execute("insert into memory_frames (content) values ('two')")
        owner.commit()
        watcher.wait_for_records("first", "one", "two")
        owner.close()
        assert watcher.end() == 0
    counted = query(home, "select count(*) from raw.hive_mind__memory_frames")
    assert counted == [(2,)]


def test_who_holds_the_home_is_waited_for_and_nothing_is_held_between_batches(
    home: Path, folder: Path
) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    other = write(folder.with_name("other") / "b.jsonl", claude("by hand"))
    with watching(home, "--from", folder) as watcher:
        watcher.wait_for_records("first")
        done = run_tamis("--home", home, "land", "--from", other)
        assert done.returncode == 0, done.stderr
        with writer(home):
            append(path, claude("second") + "\n")
            watcher.wait_for(
                lambda: "another tamis is writing" in watcher.errors.read_text(), "the lock"
            )
        watcher.wait_for_records("first", "by hand", "second")
        assert watcher.end() == 0
    assert payloads(home) == sorted(claude(text) for text in ("first", "by hand", "second"))


def test_a_signal_ends_it_while_it_waits_for_a_lock(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    with writer(home), watching(home, "--from", folder) as watcher:
        watcher.wait_for(
            lambda: "another tamis is writing" in watcher.errors.read_text(), "the lock"
        )
        assert watcher.end() == 0
    assert new_records(home) == 0


def test_quiet_says_nothing_and_own_files_are_no_change(tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = write(tmp_path / "a.jsonl", claude("first"))
    with watching(home, "--from", tmp_path, before=("--quiet",)) as watcher:
        watcher.wait_for_records("first")
        append(path, claude("second") + "\n")
        watcher.wait_for_records("first", "second")
        assert watcher.end() == 0
        assert (watcher.lines(), watcher.errors.read_text()) == ([], "")
    with open_state(home) as ledger:
        assert len(landings(ledger)) == 2


def test_a_file_that_can_not_be_read_is_told_once(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    (folder / "bad.mind").write_text("no database at all")
    with watching(home, "--from", folder) as watcher:
        watcher.wait_for_records("first")
        append(path, claude("second") + "\n")
        watcher.wait_for_records("first", "second")
        assert watcher.end() == 0
        told = watcher.errors.read_text()
    assert told.count("bad.mind") == 1


def test_services_are_asked_again_after_a_while(home: Path, monkeypatch: Any) -> None:
    """The loop itself, in this process: no source of files has a service yet."""
    from landing_home import NOW

    from tamis import watch
    from tamis.sources import SOURCES
    from tamis.sources.source import Feed, Record, Source

    asked: list[str] = []

    def fetch(address: str, environ: object) -> Iterator[Record]:
        asked.append(address)
        yield Record(CLAUDE, "service", json.dumps({"n": len(asked)}))

    feed = Feed(("memo",), lambda environ: ["memo://local"], fetch)
    service = Source("memo", (), lambda environ, cwd: [], lambda path, head: None, feed=feed)
    for module in ("tamis.landing.find", "tamis.sources"):
        monkeypatch.setattr(f"{module}.SOURCES", (*SOURCES, service))
    monkeypatch.setattr(watch, "LOOK_MILLISECONDS", 50)

    class Thrice:
        def is_set(self) -> bool:
            return len(asked) >= 3

    reports: list[Any] = []
    watch.Watch(
        home=home,
        roots=None,
        sources=["memo"],
        environ={"HOME": str(home.parent)},
        cwd=home.parent,
        clock=lambda: NOW,
        every_seconds=0.1,
        tell=reports.append,
        note=lambda line: None,
        stop=Thrice(),
    ).run()
    assert asked == ["memo://local"] * 3
    assert payloads(home) == ['{"n": 1}', '{"n": 2}', '{"n": 3}']
    assert [report.new_records for report in reports] == [1, 1, 1]


def test_without_news_from_the_system_every_file_is_looked_at(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    os.environ["WATCHFILES_FORCE_POLLING"] = "true"
    try:
        with watching(home, "--from", folder) as watcher:
            watcher.wait_for_records("first")
            append(path, claude("second") + "\n")
            watcher.wait_for_records("first", "second")
            assert watcher.end() == 0
    finally:
        del os.environ["WATCHFILES_FORCE_POLLING"]


def test_watching_and_counting_exclude_each_other(home: Path) -> None:
    done = run_tamis("--home", home, "land", "--watch", "--dry-run")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert not home.exists()
