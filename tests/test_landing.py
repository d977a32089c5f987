"""Landing: nothing is lost, nothing lands twice, and the order of landings changes nothing."""

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from landing_home import (
    CLAUDE,
    NOW,
    SESSION,
    append,
    claude,
    kept,
    land_into,
    payloads,
    query,
    write,
)

from tamis.land import LandingReport
from tamis.landing.records import insert
from tamis.state import landings, open_state, sightings
from tamis.warehouse import warehouse_path


def one(report: LandingReport, entity: str = CLAUDE) -> tuple[int, int]:
    """Records and new records of an entity."""
    found = [count for count in report.entities if count.source_entity == entity]
    return (found[0].records, found[0].new_records) if found else (0, 0)


def test_a_record_carries_its_envelope(home: Path, folder: Path) -> None:
    lines = [claude("first"), claude("second", "another"), claude("third", None)]
    path = write(folder / "talk.jsonl", *lines)
    os.utime(path, ns=(1_780_000_000_123_456_789, 1_780_000_000_123_456_789))
    report = land_into(home, path)
    rows = query(
        home,
        "select record_id, container, origin, position, payload, epoch_us(origin_modified_at),"
        f" landed_at, landing_id from raw.{CLAUDE} order by position",
    )
    expected = []
    for line, container in zip(lines, [SESSION, "another", SESSION], strict=True):
        parts = json.dumps([CLAUDE, container, line, 0], separators=(",", ":"))
        identity = hashlib.sha256(parts.encode()).hexdigest()
        position = path.read_bytes().index(line.encode())
        landed = (1_780_000_000_123_456, NOW, report.landing_id)
        expected.append((identity, container, str(path), position, line, *landed))
    assert rows == expected


def test_an_id_needs_no_ascii(home: Path, folder: Path) -> None:
    line = '{"type":"user","sessionId":"s","uuid":"u","message":{"content":"포트 \\"9090\\"\\n é"}}'
    land_into(home, write(folder / "x.jsonl", line))
    parts = json.dumps([CLAUDE, "s", line, 0], separators=(",", ":"), ensure_ascii=False)
    rows = query(home, f"select record_id from raw.{CLAUDE}")
    assert rows == [(hashlib.sha256(parts.encode()).hexdigest(),)]


def test_landing_twice_adds_nothing_and_opens_nothing(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"), claude("second"))
    assert one(land_into(home, folder)) == (2, 2)
    again = land_into(home, folder)
    assert (one(again), again.bytes, again.entities[0].unchanged) == ((0, 0), 0, 1)
    assert len(payloads(home)) == 2


def test_a_copy_under_another_path_lands_nothing_new(home: Path, folder: Path) -> None:
    write(folder / "a/x.jsonl", claude("first"), claude("same"), claude("same"))
    write(folder / "a/nameless.jsonl", '{"type":"summary","summary":"s","leafUuid":"l"}')
    land_into(home, folder / "a")
    before = kept(home)
    shutil.copytree(folder / "a", folder / "b")
    assert one(land_into(home, folder / "b")) == (4, 0)
    assert kept(home) == before
    moved = shutil.move(folder / "a", folder / "c")
    assert one(land_into(home, Path(moved))) == (4, 0)


def test_a_copy_in_the_same_landing_lands_once(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), claude("same"), claude("same"))
    shutil.copy2(path, folder / "b.jsonl")
    assert one(land_into(home, folder)) == (6, 3)
    assert query(home, f"select distinct origin from raw.{CLAUDE}") == [(str(path),)]


def test_equal_lines_of_one_file_are_records_of_their_own(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("yes"), claude("yes"), claude("no"), claude("yes"))
    assert one(land_into(home, folder)) == (4, 4)
    assert query(home, f"select count(distinct record_id) from raw.{CLAUDE}") == [(4,)]


def test_growth_reads_only_the_tail(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), claude("second"))
    size = path.stat().st_size
    land_into(home, folder)
    append(path, claude("third", None) + "\n")
    report = land_into(home, folder)
    assert (one(report), report.bytes) == ((1, 1), path.stat().st_size - size)
    with open_state(home) as ledger:
        assert sightings(ledger, report.landing_id)[0]["read_from"] == size
    rows = query(home, f"select container, position from raw.{CLAUDE} order by position")
    assert rows[-1] == (SESSION, size)


def test_equal_lines_keep_their_ordinals_across_growth(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("yes"), claude("no"))
    land_into(home, folder)
    append(path, claude("yes") + "\n" + claude("new") + "\n")
    assert land_into(home, folder).new_records == 2
    append(path, claude("new") + "\n")
    assert land_into(home, folder).new_records == 1
    whole = home.with_name("whole")
    land_into(whole, folder)
    ids = f"select record_id from raw.{CLAUDE} order by all"
    assert query(home, ids) == query(whole, ids)
    assert len(payloads(home)) == 5


def test_a_torn_last_line_waits_for_its_newline(home: Path, folder: Path) -> None:
    whole = claude("second")
    path = write(folder / "a.jsonl", claude("first"))
    append(path, whole[:20])
    report = land_into(home, folder)
    assert (one(report), report.torn, report.rejects) == ((1, 1), 1, 0)
    append(path, whole[20:] + "\n")
    report = land_into(home, folder)
    assert (one(report), report.torn) == ((1, 1), 0)
    assert payloads(home) == sorted([claude("first"), whole])
    assert query(home, "select count(*) from raw.rejects") == [(0,)]


def test_a_whole_last_line_without_newline_lands_at_once(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), end="")
    report = land_into(home, folder)
    assert (one(report), report.torn) == ((1, 1), 0)
    append(path, "\n" + claude("second"))
    report = land_into(home, folder)
    assert (report.new_records, len(payloads(home))) == (1, 2)
    append(path, "\n")
    assert land_into(home, folder).new_records == 0


def test_what_a_file_loses_stays(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", *[claude(f"line {number}") for number in range(74)])
    land_into(home, folder)
    write(path, *[claude(f"line {number}") for number in range(70, 76)])
    assert one(land_into(home, folder)) == (6, 2)
    assert len(payloads(home)) == 76


def test_a_rewritten_file_that_grew_is_read_from_its_start(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), claude("second"))
    land_into(home, folder)
    write(path, claude("fresh"), claude("second"), claude("third"), claude("fourth"))
    assert one(land_into(home, folder)) == (4, 3)
    assert len(payloads(home)) == 5


def test_an_edit_in_place_of_the_same_size_is_noticed(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("port 9090"), claude("second"))
    status = path.stat()
    land_into(home, folder)
    with path.open("r+b") as file:
        file.write(claude("port 7000").encode())
    # The edit hides behind the old modification time; the change time can't be set.
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    assert one(land_into(home, folder)) == (2, 1)
    assert len(payloads(home)) == 3


def test_a_touched_file_is_not_read_again(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    append(path, "")
    assert one(land_into(home, folder)) == (0, 0)
    assert land_into(home, folder).entities[0].unchanged == 1


def test_another_warehouse_does_not_trust_the_old_ledger(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    warehouse_path(home).unlink()
    assert one(land_into(home, folder)) == (1, 1)


def test_the_order_of_landings_changes_nothing(home: Path, folder: Path) -> None:
    write(folder / "old.jsonl", claude("first"), claude("same"), claude("same"))
    write(folder / "new.jsonl", claude("same"), claude("first"), claude("later"))
    write(folder / "other.jsonl", claude("later"), claude("first", "another"))
    for index, name in enumerate(["old", "new", "other"]):
        os.utime(folder / f"{name}.jsonl", ns=(10**18 + index, 10**18 + index))
    results = []
    for number, order in enumerate([["old", "new", "other"], ["other", "new", "old"], None]):
        place = home.with_name(f"home{number}")
        for name in order or [""]:
            land_into(place, folder / f"{name}.jsonl" if name else folder)
        results.append(kept(place))
    assert len(results[0]) == 5
    assert results[0] == results[1] == results[2]


def test_a_thousand_files_land_in_one_batch(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1_000):
        write(folder / f"{number}.jsonl", claude(f"text {number}", f"s{number}"), claude("same"))
    inserts: list[int] = []

    def counted(*arguments: Any) -> None:
        inserts.append(1)
        insert(*arguments)

    monkeypatch.setattr("tamis.landing.intake.insert", counted)
    report = land_into(home, folder)
    assert one(report) == (2_000, 1_001)
    assert (report.files, len(inserts)) == (1_000, 1)


def test_batches_know_no_file_boundaries(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small batches and blocks give the same rows as one big batch, repeats included."""
    lines = [claude(f"text {number % 7}", f"s{number % 3}") for number in range(400)]
    write(folder / "a.jsonl", *lines[:250], "not json", *lines[250:])
    write(folder / "b.jsonl", *lines[100:350])
    whole = home.with_name("whole")
    land_into(whole, folder)
    monkeypatch.setattr("tamis.landing.intake.BATCH_BYTES", 1_500)
    monkeypatch.setattr("tamis.landing.jsonl.BLOCK_BYTES", 700)
    monkeypatch.setattr("tamis.landing.read_lines.BLOCK_BYTES", 700)
    monkeypatch.setattr("tamis.landing.read_lines.SAVE_BYTES", 5_000)
    report = land_into(home, folder)
    assert kept(home) == kept(whole)
    assert (one(report), report.rejects) == ((650, 400), 1)
    append(folder / "a.jsonl", "\n".join(lines[:30]) + "\n")
    assert land_into(home, folder).new_records == 30


def test_a_dry_run_counts_the_same_and_writes_nothing(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"), "broken", claude("same"), claude("same"))
    write(folder / "b.jsonl", claude("first"), '{"torn')
    (folder / "notes.txt").write_text("nothing")
    dry = land_into(home, folder, dry_run=True)
    assert not home.exists()
    real = land_into(home, folder)
    for name in ("entities", "torn", "skipped", "failed", "bytes", "rejects"):
        assert getattr(dry, name) == getattr(real, name), name
    append(folder / "a.jsonl", claude("more") + "\n" + claude("same") + "\n")
    before = {path.name: path.stat().st_mtime_ns for path in home.iterdir()}
    dry = land_into(home, folder, dry_run=True)
    assert {path.name: path.stat().st_mtime_ns for path in home.iterdir()} == before
    real = land_into(home, folder)
    assert dry.entities == real.entities
    assert (dry.new_records, dry.dry_run, real.dry_run) == (2, True, False)


def test_the_ledger_tells_what_a_landing_did(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), "broken", claude("second"))
    (folder / "notes.txt").write_text("nothing")
    report = land_into(home, folder)
    with open_state(home) as ledger:
        landing = landings(ledger)[0]
        sighting = sightings(ledger, report.landing_id)[0]
    assert landing["state"] == "done"
    assert landing["landing_id"] == report.landing_id
    figures = (landing["files"], landing["records"], landing["new_records"], landing["rejects"])
    assert figures == (1, 2, 2, 1)
    assert landing["bytes"] == path.stat().st_size
    assert (sighting["path"], sighting["records"], sighting["rejects"]) == (str(path), 2, 1)
    assert report.skipped == ((str(folder / "notes.txt"), "no source recognises it"),)


def test_landings_of_one_moment_have_ids_of_their_own(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    ids = {land_into(home, folder).landing_id for _ in range(3)}
    assert len(ids) == 3


def test_progress_ends_at_the_whole(home: Path, folder: Path) -> None:
    path = write(folder / "a.jsonl", claude("first"), claude("second"))
    told: list[tuple[int, int]] = []
    land_into(home, folder, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (path.stat().st_size, path.stat().st_size)


def test_the_files_of_a_home_are_private(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    land_into(home, folder)
    assert home.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in home.iterdir()} == {
        "tamis.duckdb": 0o600,
        "state.sqlite": 0o600,
        "writer.lock": 0o600,
    }


def test_the_samples_land(home: Path, shared: Path) -> None:
    report = land_into(home, shared / "samples")
    counts = {count.source_entity: count.records for count in report.entities}
    lines = {
        folder: sum(
            path.read_bytes().count(b"\n")
            for path in (shared / "samples" / folder).rglob("*.jsonl*")
            if ".trajectory." not in path.name
        )
        for folder in ("claude_code", "openclaw/jsonl_era")
    }
    assert counts["claude_code__entries"] == lines["claude_code"]
    assert counts["openclaw__entries"] == lines["openclaw/jsonl_era"]
    assert counts["openclaw__session_files"] == 6
    assert counts["openclaw__hook_events"] == 6
    assert counts["openclaw__transcript_events"] == 37
    assert counts["hive_mind__memory_frames"] == 8
    assert report.torn == 1
    assert report.rejects == 0
    assert report.failed == ()
    skipped = {str(Path(path).relative_to(shared / "samples")) for path, _ in report.skipped}
    assert "hive_mind/raw_capture_events.jsonl" in skipped
    assert land_into(home, shared / "samples").new_records == 0


def test_the_real_captures_land_and_a_copy_adds_nothing(
    home: Path, shared: Path, tmp_path: Path
) -> None:
    roots = [shared / "real/claude_code", shared / "real/openclaw"]
    report = land_into(home, *roots)
    assert report.failed == ()
    assert report.new_records > 2_000
    assert land_into(home, *roots).records == 0
    copies = [shutil.copytree(root, tmp_path / "copy" / root.name) for root in roots]
    again = land_into(home, *copies)
    assert (again.records > 2_000, again.new_records) == (True, 0)
