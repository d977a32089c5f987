"""Landing on bad days: broken bytes, broken files, second writers, killed processes."""

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from landing_home import CLAUDE, NOW, SESSION, append, claude, land_into, payloads, query, write

from tamis import land
from tamis.errors import TamisError
from tamis.landing import jsonl, read_rows
from tamis.sources import letta
from tamis.sources.source import Feed, Record, Source, Unreachable
from tamis.state import newest_records, open_state
from tamis.status import status
from tamis.warehouse import connect, warehouse_path, writer


def write_bytes(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_bom_and_crlf_are_no_part_of_a_line(home: Path, folder: Path) -> None:
    lines = [claude("first"), claude("second"), claude("last")]
    text = "\ufeff" + lines[0] + "\r\n\r\n" + lines[1] + "\n   \n" + lines[2] + "\r\n"
    write_bytes(folder / "a.jsonl", text.encode())
    report = land_into(home, folder)
    assert payloads(home) == sorted(lines)
    assert (report.records, report.rejects, report.torn) == (3, 0, 0)
    assert query(home, f"select min(position) from raw.{CLAUDE}") == [(3,)]


def test_a_bom_before_a_line_without_newline(home: Path, folder: Path) -> None:
    write_bytes(folder / "a.jsonl", ("\ufeff" + claude("only")).encode())
    land_into(home, folder)
    assert payloads(home) == [claude("only")]
    append(folder / "a.jsonl", "\n")
    assert land_into(home, folder).new_records == 0


def test_lines_of_every_length_keep_their_bytes(home: Path, folder: Path) -> None:
    """Short texts are stored in Arrow views in another way than long ones: 12 is the border."""
    lines = [str(10**length)[:length] for length in range(1, 20)]
    lines += ['"é"', '"日本語"', '"🙂🙂🙂"', "[]", "{}"]
    write(folder / "a.jsonl", claude("first"), *lines)
    assert land_into(home, folder).new_records == len(lines) + 1
    assert payloads(home) == sorted([claude("first"), *lines])


def test_valid_json_that_is_no_object_lands(home: Path, folder: Path) -> None:
    lines = ["5", '"text"', "null", "true", "[1, 2]", claude("turn")]
    write(folder / "a.jsonl", *lines)
    report = land_into(home, folder)
    assert (report.records, report.rejects) == (6, 0)
    assert payloads(home) == sorted(lines)
    assert query(home, f"select distinct container from raw.{CLAUDE}") == [(SESSION,)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"type":"user","text":"\xff\xfe"}', "invalid UTF-8"),
        (b'{"cut":"\xe6\x97"}', "invalid UTF-8"),
        (b"not json at all", "unparsable JSON"),
        (b'{"a":1}{"b":2}', "unparsable JSON"),
        (b"{'a':1}", "unparsable JSON"),
        (b"\x00\x00\x00\x00", "unparsable JSON"),
        (b'{"raw control":"\x01"}', "unparsable JSON"),
        (b"[" * 100_000, "unparsable JSON"),
    ],
)
def test_a_broken_line_is_refused_and_its_neighbours_land(
    home: Path, folder: Path, data: bytes, reason: str
) -> None:
    before, after = claude("before"), claude("after")
    write_bytes(folder / "a.jsonl", b"\n".join([before.encode(), data, after.encode(), b""]))
    report = land_into(home, folder)
    assert payloads(home) == sorted([before, after])
    assert (report.records, report.rejects) == (2, 1)
    rejects = query(
        home,
        "select source_entity, container, origin, position, reason, bytes, landing_id"
        " from raw.rejects",
    )
    place = (CLAUDE, SESSION, str(folder / "a.jsonl"), len(before) + 1)
    assert rejects == [(*place, reason, data, report.landing_id)]
    append(folder / "a.jsonl", claude("more") + "\n")
    assert land_into(home, folder).rejects == 0
    write_bytes(folder / "copy/a.jsonl", (folder / "a.jsonl").read_bytes())
    assert land_into(home, folder).rejects == 0
    assert query(home, "select count(*) from raw.rejects") == [(1,)]


def test_lone_surrogates_and_nul_escapes_land_untouched(home: Path, folder: Path) -> None:
    lines = [
        r'{"type":"user","uuid":"a","sessionId":"one","message":{"content":"\ud83d"}}',
        r'{"type":"user","uuid":"b","sessionId":"two","message":{"content":"a\u0000b"}}',
        r'{"type":"user","uuid":"c","sessionId":"\udc00","message":{"content":"x"}}',
        r'"\ud800"',
        r'{"type":"user","uuid":"d","sessionId":"one","message":{"content":"\ud83d\ude00"}}',
    ]
    write(folder / "a.jsonl", *lines)
    report = land_into(home, folder)
    assert (report.records, report.rejects) == (5, 0)
    assert payloads(home) == sorted(lines)
    rows = query(home, f"select container from raw.{CLAUDE} order by position")
    assert [row[0] for row in rows] == ["one", "two", "one", "one", "one"]


def test_deep_nesting_lands(home: Path, folder: Path) -> None:
    deep = '{"type":"user","sessionId":"s","uuid":"u","x":' + "[" * 5_000 + "]" * 5_000 + "}"
    write(folder / "a.jsonl", claude("first"), deep)
    assert land_into(home, folder).new_records == 2
    assert deep in payloads(home)


def test_br30_a_line_of_20_mb_lands_and_its_neighbours_too(home: Path, folder: Path) -> None:
    long = claude("x" * 20_000_000)
    write(folder / "a.jsonl", long, claude("after"), long.replace("x", "y", 100), claude("last"))
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (4, 0)
    found = query(home, f"select sha256(payload) from raw.{CLAUDE} order by length(payload) desc")
    assert (hashlib.sha256(long.encode()).hexdigest(),) in found[:2]


@pytest.mark.parametrize("packed", [False, True])
def test_a_line_that_is_too_long_is_refused_with_its_size(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_LINE_BYTES", 10_000)
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 1_000)
    turn = '{{"type":"response_item","timestamp":"","payload":{{"id":"{}","text":"{}"}}}}'
    long, limit = turn.format("b", "x" * 50_000), turn.format("d", "x" * (10_000 - 70))
    assert len(limit) == 10_000
    lines = [turn.format("a", ""), long, turn.format("c", ""), limit, limit + "x", long]
    data = "\n".join(lines).encode()
    if packed:
        data = pa.compress(data, "zstd", asbytes=True)
    file = write_bytes(folder / ("a.jsonl.zst" if packed else "a.jsonl"), data)
    report = land_into(home, folder)
    assert (report.records, report.rejects, report.torn, report.failed) == (3, 2, 1, ())
    assert payloads(home, "codex__rollouts") == sorted([lines[0], lines[2], lines[3]])
    refused = query(
        home, "select position, reason, octet_length(bytes) from raw.rejects order by 1"
    )
    assert refused == [
        (len(lines[0]) + 1, f"a line of {len(long) + 1:,} bytes", 1_000),
        (len("\n".join(lines[:4])) + 1, "a line of 10,002 bytes", 1_000),
    ]
    if not packed:
        append(file, "\n")
        report = land_into(home, folder)
        assert (report.new_records, report.rejects, report.torn) == (0, 1, 0)
        assert land_into(home, folder).records == 0


@pytest.mark.slow
def test_memory_stays_bounded_on_two_gigabytes(home: Path, folder: Path) -> None:
    folder.mkdir()
    lines = 4_000_000
    with (folder / "a.jsonl").open("w") as file:
        for number in range(lines):
            text = "x" * (20_000_000 if number == lines // 2 else 400)
            file.write(claude(f"{number} {text}", f"s{number // 1_000}") + "\n")
    code = (
        "import resource, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from landing_home import land_into;"
        "report = land_into(Path(sys.argv[2]), Path(sys.argv[3]));"
        "print(report.new_records, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), str(home), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    records, megabytes = map(int, done.stdout.split())
    assert records == lines
    assert megabytes < 1_000


def test_empty_files_are_skipped_or_hold_nothing(home: Path, folder: Path) -> None:
    write(folder / "empty.jsonl")
    write(folder / f"projects/x/{SESSION}.jsonl")
    write(folder / "agents/main/sessions/one.jsonl")
    write(folder / "sessions/sessions.json")
    report = land_into(home, folder)
    assert (report.records, report.rejects, report.failed) == (0, 0, ())
    assert report.skipped == ((str(folder / "empty.jsonl"), "an empty file"),)


def test_a_missing_path_is_one_clear_line(home: Path, tmp_path: Path) -> None:
    with pytest.raises(TamisError, match="there is nothing at") as caught:
        land_into(home, tmp_path / "nowhere")
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


def test_an_unknown_source_is_a_usage_error(home: Path, folder: Path) -> None:
    with pytest.raises(TamisError, match="unknown source 'nobody'") as caught:
        land_into(home, write(folder / "a.jsonl"), sources=["nobody"])
    assert caught.value.exit_code == 2


def test_an_unreadable_file_is_reported_and_the_others_land(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    # Even root gets an input/output error from this file.
    (folder / "b.jsonl").symlink_to("/proc/self/mem")
    report = land_into(home, folder)
    assert payloads(home) == [claude("first")]
    assert report.failed == ((str(folder / "b.jsonl"), "Input/output error"),)
    assert land_into(home, folder).failed == report.failed


def test_pipes_sockets_and_loops_are_never_opened(home: Path, folder: Path) -> None:
    write(folder / "a/talk.jsonl", claude("first"))
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "null.jsonl").symlink_to("/dev/zero")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "a/up").symlink_to("..", target_is_directory=True)
    (folder / "self.jsonl").symlink_to("self.jsonl")
    (folder / "gone.jsonl").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket.jsonl"))
        report = land_into(home, folder)
    assert report.new_records == 1
    assert {Path(path).name for path, _ in report.skipped} == {
        "pipe.jsonl",
        "null.jsonl",
        "socket.jsonl",
        "gone.jsonl",
    }
    assert [Path(path).name for path, _ in report.failed] == ["self.jsonl"]


def test_the_home_is_never_searched_but_a_folder_in_it_may_be_given(
    tmp_path: Path, home: Path
) -> None:
    """Closing a database's file would drop this process's own locks on it."""
    write(tmp_path / "a.jsonl", claude("first"))
    write(home / "captures/b.jsonl", claude("second"))
    report = land_into(home, tmp_path)
    report = land_into(home, tmp_path)
    assert (report.files, report.skipped, report.failed) == (1, (), ())
    report = land_into(home, home, home / "tamis.duckdb", home / "state.sqlite")
    assert (report.files, report.skipped, report.failed) == (0, (), ())
    assert land_into(home, home / "captures").new_records == 1


def test_a_file_name_of_broken_utf8_lands(home: Path, folder: Path) -> None:
    folder.mkdir()
    name = os.fsencode(folder) + b"/\xff.jsonl"
    Path(os.fsdecode(name)).write_text(claude("first") + "\n")
    assert land_into(home, folder).new_records == 1
    assert land_into(home, folder).records == 0
    assert query(home, f"select origin from raw.{CLAUDE}") == [(f"{folder}/\\xff.jsonl",)]


@pytest.mark.parametrize("name", [b"\xff.jsonl.zst", b"\xff/a.jsonl.zst"])
def test_packed_files_under_names_of_broken_utf8_land(
    home: Path, folder: Path, name: bytes
) -> None:
    line = b'{"type":"response_item","timestamp":"","payload":{"id":"a"}}'
    write_bytes(folder / os.fsdecode(name), pa.compress(line, "zstd", asbytes=True))
    assert land_into(home, folder).new_records == 1


def test_a_document_that_nobody_thought_of_is_refused_and_the_others_land(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "a.jsonl", claude("hello"))
    write(folder / "b.af", '{"agents": [{"messages": []}]}')
    monkeypatch.setattr(letta, "describe", lambda agent: agent["unknown"])
    assert land_into(home, folder).new_records == 1
    reason = "another shape than its source knows: KeyError"
    assert query(home, "select reason from raw.rejects") == [(reason,)]


def test_a_document_that_is_too_large_is_reported(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_rows, "LONGEST_DOCUMENT_BYTES", 1 << 20)
    file = write(folder / "CLAUDE.md", "- a word" * (1 << 18))
    report = land_into(home, folder)
    assert (report.records, report.failed) == (0, ((str(file), "it is longer than 1 MB"),))


def test_a_second_writer_gets_one_clear_line(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    code = (
        "import sys, time; from pathlib import Path; from tamis.warehouse import writer\n"
        "with writer(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(TamisError, match="another tamis is writing to") as caught:
            land_into(home, folder)
        dry = land_into(home, folder, dry_run=True)
        other.kill()
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)
    assert dry.new_records == 1
    assert land_into(home, folder).new_records == 1


def test_the_writer_lock_is_free_afterwards(home: Path) -> None:
    with pytest.raises(KeyError), writer(home):
        raise KeyError("stop")
    with writer(home):
        pass


@pytest.mark.parametrize("data", [b"not a database at all" * 500, b"SQLite format 3\x00" * 300])
def test_a_file_that_is_no_warehouse_is_one_clear_line(
    home: Path, folder: Path, data: bytes
) -> None:
    write(folder / "a.jsonl", claude("first"))
    write_bytes(warehouse_path(home), data)
    with pytest.raises(TamisError) as caught:
        land_into(home, folder)
    assert caught.value.exit_code == 3
    assert str(warehouse_path(home)) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert warehouse_path(home).read_bytes() == data


def test_no_warehouse_yet_is_one_clear_line(home: Path) -> None:
    with pytest.raises(TamisError, match="run `tamis land` first") as caught:
        connect(home, read_only=True)
    assert caught.value.exit_code == 3
    assert not home.exists()


def test_copies_of_a_killed_landing_are_removed(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    write(home / "landing-xyz/0/copy.sqlite", "left behind")
    land_into(home, folder)
    assert not list(home.glob("landing-*"))


def test_another_order_of_keys_is_another_record(home: Path, folder: Path) -> None:
    """The payload is text: another order of keys is another record, nothing is normalised."""
    line = json.loads(claude("first"))
    write(folder / "a.jsonl", json.dumps(line), json.dumps(dict(reversed(line.items()))))
    assert land_into(home, folder).new_records == 2


def test_a_file_that_goes_before_it_is_read_is_no_trouble(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs are rotated while a landing runs; what comes back under the name is read anew."""
    write(folder / "a.jsonl", claude("first"))
    path = write(folder / "b.jsonl", claude("second"))

    def find_and_rotate(*arguments: object, **options: object) -> object:
        found = finds(*arguments, **options)
        path.rename(folder / "b.1.jsonl")
        return found

    finds = land.find
    monkeypatch.setattr(land, "find", find_and_rotate)
    report = land_into(home, folder)
    monkeypatch.undo()
    assert (report.new_records, report.failed) == (1, ())
    write(path, claude("third"))
    assert land_into(home, folder).new_records == 2
    assert status(home, NOW).counts["failed"] == 0


def test_a_service_that_gives_no_answer_is_told_of_until_it_does(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[str] = []

    def fetch(address: str, environ: object) -> Iterator[Record]:
        if not answers:
            raise Unreachable("nobody listens")
        yield Record(CLAUDE, "service", answers[0])

    feed = Feed(("memo",), lambda environ: ["memo://me:secret@local/x"], fetch)
    service = Source("memo", (), lambda environ, cwd: [], lambda path, head: None, feed=feed)
    monkeypatch.setattr("tamis.landing.find.SOURCES", (service,))
    monkeypatch.setattr("tamis.landing.read_rows.PAUSE_SECONDS", 0)
    report = land_into(home)
    assert report.failed == (("memo://local/x", "nobody listens"),)
    told = "1 files could not be read: `tamis doctor` names them"
    assert told in status(home, NOW).troubles
    answers.append('{"n": 1}')
    assert land_into(home).new_records == 1
    assert status(home, NOW).counts["failed"] == 0
    with open_state(home) as ledger:
        assert newest_records(ledger) == {CLAUDE: NOW}
