"""What there is to land: `doctor` lists it, and a dry run counts what a landing then writes."""

import json
import os
import random
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command_line import run_tamis
from landing_home import CLAUDE, NOW, append, claude, land_into, write

from tamis.discovery import discover
from tamis.sources import SOURCES
from tamis.sources.source import Answer, Database, Document, Record, Source, Table
from tamis.state import open_state
from tamis.status import diagnose
from tamis.warehouse import connect

HEADER = '{"type":"session","version":3,"id":"s1","cwd":"/none"}'
PACKED = "agents/main/sessions/p1.jsonl.reset.2026-06-01T09-59-00.000Z.zst"


def found(home: Path, environ: dict[str, str] | None = None) -> dict[str, Any]:
    """What is discovered, by source."""
    with open_state(home, read_only=True) as ledger:
        discovery = discover(home, ledger, environ or {"HOME": str(home.parent)}, home.parent)
    return {one.source: one for one in discovery.sources}


def counts(one: Any) -> tuple[int, int, int, int]:
    return one.files, one.new_files, one.changed_files, one.new_bytes


def test_before_a_home_exists_everything_is_new(home: Path, tmp_path: Path) -> None:
    path = write(tmp_path / ".claude/projects/-x/a.jsonl", claude("first", version="2.1.3"))
    one = found(home)["claude_code"]
    size = path.stat().st_size
    assert counts(one) == (1, 1, 0, size)
    assert (one.bytes, one.version) == (size, "2.1.3")
    assert one.places == (str(tmp_path / ".claude/projects"),)
    assert counts(found(home)["openclaw"]) == (0, 0, 0, 0)
    assert list(found(home)) == [source.name for source in SOURCES]
    assert not home.exists()


def test_after_a_landing_only_what_grew_is_to_land(home: Path, tmp_path: Path) -> None:
    path = write(tmp_path / ".claude/projects/-x/a.jsonl", claude("first"), claude("second"))
    land_into(home)
    assert counts(found(home)["claude_code"]) == (1, 0, 0, 0)
    append(path, claude("third") + "\n")
    assert counts(found(home)["claude_code"]) == (1, 0, 1, len(claude("third")) + 1)
    write(path.with_name("b.jsonl"), claude("fourth"))
    one = found(home)["claude_code"]
    assert counts(one) == (2, 1, 1, len(claude("third")) + len(claude("fourth")) + 2)
    report = land_into(home, dry_run=True)
    assert report.bytes == one.new_bytes
    assert one.bytes == sum(file.stat().st_size for file in path.parent.iterdir())


def test_places_that_a_landing_was_given_are_remembered(home: Path, folder: Path) -> None:
    write(folder / "here/a.jsonl", claude("first"))
    write(folder / "there/s1.jsonl", HEADER)
    land_into(home, folder / "here", folder / "there")
    append(folder / "there/s1.jsonl", HEADER.replace("s1", "s2") + "\n")
    openclaw = found(home)["openclaw"]
    assert openclaw.places == (str(folder / "there"),)
    assert counts(openclaw) == (1, 0, 1, len(HEADER) + 1)
    assert found(home)["claude_code"].places == (str(folder / "here"),)
    (folder / "there/s1.jsonl").unlink()
    (folder / "there").rmdir()
    assert counts(found(home)["openclaw"]) == (0, 0, 0, 0)


def test_a_database_says_which_schema_wrote_it(home: Path, tmp_path: Path) -> None:
    mind = tmp_path / ".hive-mind/global.mind"
    mind.parent.mkdir()
    owner = sqlite3.connect(mind)
    owner.execute("create table memory_frames (id integer primary key, content text)")
    owner.execute("pragma user_version = 12")
    owner.commit()
    owner.close()
    assert found(home)["hive_mind"].version == "schema 12"
    land_into(home)
    assert found(home)["hive_mind"].version == "schema 12"


def test_unchanged_files_are_not_opened(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        write(folder / f"{number}.jsonl", claude(f"text {number}"))
    land_into(home, folder)
    append(folder / "7.jsonl", claude("more") + "\n")
    opened: list[str] = []

    def read_head(path: Path) -> bytes:
        opened.append(path.name)
        return path.read_bytes()

    monkeypatch.setattr("tamis.landing.find.read_head", read_head)
    assert counts(found(home)["claude_code"])[:3] == (20, 0, 1)
    assert opened == ["7.jsonl"]


def test_doctor_tells_what_can_not_be_read_now(home: Path, folder: Path, tmp_path: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    (folder / "bad.mind").write_text("no database at all")
    (folder / "notes.txt").write_text("nothing")
    land_into(home, folder)
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "later.txt").write_text("nothing")
    told = diagnose(home, NOW, {"HOME": str(tmp_path)}, tmp_path)
    assert [(Path(row["path"]).name, row["error"]) for row in told.failed] == [
        ("bad.mind", "it is not a SQLite database"),
        ("loop.jsonl", "Too many levels of symbolic links"),
    ]
    assert [Path(row["path"]).name for row in told.skipped] == ["later.txt", "notes.txt"]


def test_doctor_goes_on_while_another_process_holds_the_warehouse(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    connection = connect(home)
    try:
        done = run_tamis("--home", home, "--json", "doctor")
    finally:
        connection.close()
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["files"] for one in told["found"] if one["source"] == "claude_code"] == [1]
    assert told["sources"] == []
    assert any("another process holds" in line for line in told["remedies"])


def test_the_command_works_without_a_home_and_after_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    environ = {**os.environ, "HOME": str(tmp_path)}
    done = run_tamis("--home", home, "doctor", env=environ)
    assert done.returncode == 0, done.stderr
    assert "no captures found at the usual places" in done.stdout
    path = write(tmp_path / ".claude/projects/-x/a.jsonl", claude("first", version="2.1.3"))
    done = run_tamis("--home", home, "doctor", env=environ)
    row = next(line for line in done.stdout.splitlines() if line.startswith("claude_code "))
    size = str(path.stat().st_size)
    places = str(tmp_path / ".claude/projects")
    assert row.split() == ["claude_code", "2.1.3", "1", size, "1", "0", size, places]
    assert not home.exists()
    done = run_tamis("--home", home, "--json", "doctor", env=environ)
    told = {one["source"]: one for one in json.loads(done.stdout)["found"]}
    assert (told["claude_code"]["new_files"], told["claude_code"]["places"]) == (1, [places])
    assert run_tamis("--home", home, "land", env=environ).returncode == 0
    done = run_tamis("--home", home, "doctor", env=environ)
    landed = done.stdout.partition("landed:")[2].split("\n\n")[0].splitlines()[3:]
    assert [line.split()[0] for line in landed] == ["claude_code__entries"]
    row = next(line for line in done.stdout.splitlines() if line.startswith("claude_code "))
    assert row.split() == ["claude_code", "2.1.3", "1", size, "0", "0", "0", places]


def several_tables(path: Path, head: bytes) -> Answer | None:
    if path.suffix == ".several":
        return Database((Table(CLAUDE, "one"), Table("openclaw__entries", "two")))
    if path.suffix == ".mixed":
        return Document((CLAUDE, "openclaw__entries"), mixed)
    return None


def mixed(path: Path, text: str) -> Any:
    for number, line in enumerate(text.splitlines()):
        entity = CLAUDE if number % 2 else "openclaw__entries"
        yield Record(entity, "mixed", json.dumps({"line": line}))


SEVERAL = Source("several", (), lambda environ, cwd: [], several_tables)


def change(folder: Path, chance: random.Random) -> None:
    """One change of each kind at random: growth, rewrites, packed files, databases, documents."""
    sessions = folder / "agents/main/sessions"
    sessions.mkdir(parents=True, exist_ok=True)
    words = [f"text {chance.randrange(8)}" for _ in range(10)]
    lines = [claude(word, f"s{chance.randrange(3)}") for word in words]
    path = folder / f"talk{chance.randrange(3)}.jsonl"
    if chance.random() < 0.7 and path.exists():
        append(path, "\n".join([*lines, "broken", lines[0][:30]]))
    else:
        write(path, *lines, "broken")
    entries = [
        json.dumps({"type": "message", "id": word, "parentId": None, "n": chance.randrange(3)})
        for word in words
    ]
    text = "".join(line + "\n" for line in [HEADER, *entries])
    (folder / PACKED).write_bytes(pa.Codec("zstd").compress(text.encode()))
    index = {f"agent:main:{word}": {"sessionId": word} for word in words}
    (sessions / "sessions.json").write_text(json.dumps(index))
    (folder / "a.mixed").write_text("\n".join(words))
    for name, tables in (("w.mind", ["memory_frames"]), ("d.several", ["one", "two"])):
        owner = sqlite3.connect(folder / name)
        for table in tables:
            owner.execute(f"create table if not exists {table} (id integer primary key, t text)")
            owner.execute(f"insert into {table} (t) values (?)", [words[0]])
            owner.execute(f"update {table} set t = ? where id = 1", [words[1]])
        owner.commit()
        owner.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_dry_run_counts_what_the_landing_then_writes(
    home: Path, folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.landing.find.SOURCES", (*SOURCES, SEVERAL))
    chance = random.Random(seed)
    for _ in range(5):
        change(folder, chance)
        dry = land_into(home, folder, dry_run=True)
        real = land_into(home, folder)
        for name in ("entities", "torn", "skipped", "failed", "bytes"):
            assert getattr(dry, name) == getattr(real, name), name
        assert real.new_records > 0
    again = land_into(home, folder, dry_run=True)
    assert (again.records, again.new_records, again.rejects) == (0, 0, 0)
