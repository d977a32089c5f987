"""The sources: what each takes for its own, where it looks, how databases and git are read."""

import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from landing_home import CLAUDE, claude, land_into, payloads, query, write

from tamis.sources import SOURCES, source_entities
from tamis.sources.git import checkout
from tamis.sources.openclaw import name_and_kind
from tamis.warehouse import connect, ensure_raw

TRANSCRIPT = "openclaw__entries"
FRAMES = "hive_mind__memory_frames"
HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-06-01T10:00:00Z","cwd":"/none"}'
MESSAGE = '{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"hi"}}'


def mind(path: Path, *contents: str | bytes | None) -> sqlite3.Connection:
    """A mind with one frame per content; the connection stays open for the caller."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(
        "create table memory_frames (id integer primary key autoincrement, content text,"
        " access_count integer, metadata text)"
    )
    connection.executemany(
        "insert into memory_frames (content, access_count) values (?, 0)",
        [(content,) for content in contents],
    )
    connection.commit()
    return connection


def test_every_entity_has_a_raw_table(home: Path) -> None:
    connection = connect(home)
    ensure_raw(connection)
    tables = connection.execute(
        "select table_name from duckdb_tables() where schema_name = 'raw'"
    ).fetchall()
    connection.close()
    assert {name for (name,) in tables} == {*source_entities(), "rejects", "warehouse"}
    assert [source.name for source in SOURCES if not source.entities] == []


def test_a_warehouse_keeps_its_id(home: Path, tmp_path: Path) -> None:
    connection = connect(home)
    first = ensure_raw(connection)
    assert ensure_raw(connection) == first
    connection.close()
    other = connect(tmp_path / "other")
    assert ensure_raw(other) != first
    other.close()


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "message_events.jsonl",
            '{"type":"message","action":"received","messages":[]}',
        ),
        ("events.jsonl", '{"type":"message","action":"received","context":{}}'),
        ("events.jsonl", '{"type":"order","action":"sent","sessionKey":"k","context":{}}'),
        ("raw_capture_events.jsonl", '{"seq":1,"gop_id":"g","content":"[hm src:x] hello"}'),
        ("list.jsonl", '["type", "sessionId"]'),
        ("words.jsonl", "hello"),
        ("sessions.json", '{"other": 1}'),
        ("talk.json", '{"type":"user","sessionId":"x"}'),
        ("x.db", "no database"),
    ],
)
def test_files_of_others_are_skipped_with_a_reason(
    home: Path, folder: Path, name: str, line: str
) -> None:
    path = write(folder / name, line)
    report = land_into(home, folder)
    assert report.skipped == ((str(path), "no source recognises it"),)
    assert (report.records, report.failed) == (0, ())


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"summary","summary":"s","leafUuid":"l"}',
        '{"type":"file-history-snapshot","messageId":"m","snapshot":{}}',
        '{"type":"permission-mode","permissionMode":"default","sessionId":"x"}',
        '{"type":"a-kind-of-tomorrow","sessionId":"x"}',
        '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u"}',
        '{"type":"queue-operation","operation":"enqueue","sessionId":"x"}',
    ],
)
def test_claude_code_is_known_by_its_lines(home: Path, folder: Path, line: str) -> None:
    write(folder / "any-name.jsonl", "{broken", line)
    report = land_into(home, folder)
    assert payloads(home) == [line]
    assert (report.new_records, report.rejects, report.skipped) == (1, 1, ())


def test_a_session_of_nothing_but_broken_lines_is_known_by_its_place(
    home: Path, folder: Path
) -> None:
    name = "5a000000-0000-4000-8000-000000000001.jsonl"
    write(folder / "projects/-x" / name, "{broken")
    write(folder / "agents/main/sessions/s1.jsonl", "{broken")
    report = land_into(home, folder)
    assert (report.rejects, report.skipped) == (2, ())
    containers = query(home, "select source_entity, container from raw.rejects order by all")
    assert containers == [(CLAUDE, name.removesuffix(".jsonl")), (TRANSCRIPT, "s1")]


def test_a_first_line_longer_than_the_head_is_no_hindrance(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("x" * 300_000))
    assert land_into(home, folder).new_records == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("s1.jsonl", ("s1", "primary")),
        ("s1-topic-7.jsonl", ("s1", "topic")),
        ("s1.jsonl.reset.2026-06-01T09-59-00.000Z", ("s1", "reset")),
        ("s1.jsonl.deleted.2026-06-01T09-59-00.000Z", ("s1", "deleted")),
        ("s1.jsonl.bak.2026-06-01T09-59-00.000Z", ("s1", "bak")),
        ("s1.checkpoint.11111111-1111-4111-8111-111111111111.jsonl", ("s1", "checkpoint")),
        ("s1-topic-7.jsonl.reset.2026-06-01T09-59-00.000Z", ("s1", "reset")),
    ],
)
def test_openclaw_file_names_tell_session_and_kind(
    home: Path, folder: Path, name: str, expected: tuple[str, str]
) -> None:
    assert name_and_kind(Path(name)) == expected
    path = write(folder / "agents/main/sessions" / name, HEADER.replace("s1", "own"), MESSAGE)
    land_into(home, path)
    assert query(home, f"select distinct container from raw.{TRANSCRIPT}") == [("own",)]
    rows = query(home, "select container, origin, payload from raw.openclaw__session_files")
    container, origin, payload = rows[0]
    assert (container, origin) == ("own", str(path))
    assert json.loads(payload) == {
        "sessionId": "own",
        "agentId": "main",
        "fileName": name,
        "kind": expected[1],
    }


def test_an_openclaw_file_without_header_is_named_by_its_file(home: Path, folder: Path) -> None:
    write(folder / "agents/main/sessions/s9.jsonl.reset.2026-06-01T09-59-00.000Z", MESSAGE)
    land_into(home, folder)
    assert query(home, f"select container from raw.{TRANSCRIPT}") == [("s9",)]
    assert query(home, "select container from raw.openclaw__session_files") == [("s9",)]


def test_openclaw_checkpoints_repeat_their_session(home: Path, folder: Path) -> None:
    place = folder / "agents/main/sessions"
    write(place / "s1.jsonl", HEADER, MESSAGE, MESSAGE.replace("a1", "a2"))
    write(place / "s1.checkpoint.11111111-1111-4111-8111-111111111111.jsonl", HEADER, MESSAGE)
    report = land_into(home, folder)
    counts = {count.source_entity: count.new_records for count in report.entities}
    assert counts == {TRANSCRIPT: 3, "openclaw__session_files": 2}


def test_openclaw_sidecars_are_skipped_with_their_reasons(home: Path, folder: Path) -> None:
    place = folder / "agents/main/sessions"
    write(place / "s1.jsonl", HEADER)
    write(place / "s1.trajectory.jsonl", '{"type":"user","sessionId":"s1","uuid":"u"}')
    write(place / "s1.trajectory-path.json", "{}")
    write(place / "sessions.json.bak.1", "{}")
    report = land_into(home, folder)
    assert [Path(path).name for path, _ in report.skipped] == [
        "s1.trajectory-path.json",
        "s1.trajectory.jsonl",
        "sessions.json.bak.1",
    ]
    assert all("OpenClaw" in reason for _, reason in report.skipped)
    assert report.new_records == 2


def test_a_packed_archive_lands_like_its_text(home: Path, folder: Path) -> None:
    place = folder / "agents/main/sessions"
    packed = place / "s1.jsonl.reset.2026-06-01T09-59-00.000Z.zst"
    place.mkdir(parents=True)
    torn = '{"type":"mess'
    packed.write_bytes(pa.Codec("zstd").compress(f"{HEADER}\n{MESSAGE}\n{torn}".encode()))
    broken = write(place / "s2.jsonl.deleted.2026-06-01T09-59-00.000Z.zst", "not packed at all")
    report = land_into(home, folder)
    assert payloads(home, TRANSCRIPT) == sorted([HEADER, MESSAGE])
    assert report.torn == 1
    assert [path for path, _ in report.failed] == [str(broken)]
    unchanged = land_into(home, folder)
    assert (unchanged.new_records, unchanged.entities[0].unchanged) == (0, 1)
    write(place / "s1.jsonl", HEADER, MESSAGE)
    assert land_into(home, folder).new_records == 1, "only the file's own name is new"
    packed.write_bytes(pa.Codec("zstd").compress(f"{HEADER}\n{MESSAGE}\n".encode())[:40])
    report = land_into(home, folder)
    assert str(packed) in [path for path, _ in report.failed]
    assert payloads(home, TRANSCRIPT) == sorted([HEADER, MESSAGE])


def test_the_session_index_lands_by_key_and_changes_are_new_records(
    home: Path, folder: Path
) -> None:
    path = folder / "agents/main/sessions/sessions.json"
    index = {"agent:main:main": {"sessionId": "s1", "n": 1}, "agent:main:x": {"sessionId": "s2"}}
    write(path, json.dumps(index, indent=2))
    assert land_into(home, folder).new_records == 2
    index["agent:main:main"]["n"] = 2
    write(path, json.dumps(index, indent=4))
    report = land_into(home, folder)
    assert (report.records, report.new_records) == (2, 1)
    rows = query(home, "select container, payload from raw.openclaw__session_index order by all")
    assert [(container, json.loads(payload)) for container, payload in rows] == [
        ("agent:main:main", {"key": "agent:main:main", "entry": {"sessionId": "s1", "n": 1}}),
        ("agent:main:main", {"key": "agent:main:main", "entry": {"sessionId": "s1", "n": 2}}),
        ("agent:main:x", {"key": "agent:main:x", "entry": {"sessionId": "s2"}}),
    ]


def test_a_broken_session_index_is_refused_whole(home: Path, folder: Path) -> None:
    path = write(folder / "agents/main/sessions/sessions.json", '{"agent:main:main": {"sessi')
    report = land_into(home, folder)
    assert (report.records, report.rejects) == (0, 1)
    rows = query(home, "select reason, position, bytes from raw.rejects")
    assert rows == [("unparsable JSON", 0, path.read_bytes())]


def test_frames_land_as_json_with_the_columns_they_have(home: Path, folder: Path) -> None:
    connection = mind(folder / "workspace.mind", 'a "quoted"\nline', None)
    connection.execute("alter table memory_frames add column embedding blob")
    connection.execute("update memory_frames set embedding = x'00ff' where id = 1")
    connection.commit()
    connection.close()
    land_into(home, folder)
    rows = query(home, f"select container, position, payload from raw.{FRAMES} order by all")
    assert [
        (container, position, json.loads(payload)) for container, position, payload in rows
    ] == [
        (
            "memory_frames/1",
            1,
            {
                "id": 1,
                "content": 'a "quoted"\nline',
                "access_count": 0,
                "metadata": None,
                "embedding": "00FF",
            },
        ),
        (
            "memory_frames/2",
            2,
            {
                "id": 2,
                "content": None,
                "access_count": 0,
                "metadata": None,
                "embedding": None,
            },
        ),
    ]


def test_a_changed_row_is_a_new_record_and_the_old_one_stays(home: Path, folder: Path) -> None:
    connection = mind(folder / "workspace.mind", "one", "two")
    assert land_into(home, folder).new_records == 2
    assert land_into(home, folder).entities[0].unchanged == 1
    connection.execute("update memory_frames set access_count = 1 where id = 2")
    connection.execute("delete from memory_frames where id = 1")
    connection.commit()
    connection.close()
    report = land_into(home, folder)
    assert (report.records, report.new_records) == (1, 1)
    assert query(home, f"select count(*) from raw.{FRAMES}") == [(3,)]


def test_a_mind_is_read_with_its_wal_while_its_owner_writes(home: Path, folder: Path) -> None:
    path = folder / "workspace.mind"
    owner = mind(path, "in the file")
    owner.execute("pragma journal_mode = wal")
    owner.execute("pragma wal_autocheckpoint = 0")
    owner.execute("insert into memory_frames (content) values ('only in the wal')")
    owner.commit()
    owner.execute("insert into memory_frames (content) values ('not committed')")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert b"only in the wal" not in before["workspace.mind"]
    report = land_into(home, folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    contents = [json.loads(payload)["content"] for payload in payloads(home, FRAMES)]
    assert contents == ["in the file", "only in the wal"]
    reasons = {reason for _, reason in report.skipped}
    assert reasons == {"part of the SQLite database beside it"}
    owner.commit()
    assert land_into(home, folder).new_records == 1
    owner.close()


def test_a_rollback_journal_is_honoured(home: Path, folder: Path) -> None:
    owner = mind(folder / "workspace.mind", *["text " * 400] * 50)
    owner.execute("pragma cache_size = 1")
    owner.execute("begin")
    owner.execute("update memory_frames set content = 'half done ' || id")
    assert (folder / "workspace.mind-journal").stat().st_size > 0
    land_into(home, folder / "workspace.mind")
    contents = {json.loads(payload)["content"] for payload in payloads(home, FRAMES)}
    assert contents == {"text " * 400}
    owner.rollback()
    owner.close()


def test_a_row_of_broken_utf8_is_refused_and_its_neighbours_land(home: Path, folder: Path) -> None:
    connection = mind(folder / "workspace.mind", "one", "two")
    connection.execute("insert into memory_frames (content) values (cast(x'41ff' as text))")
    connection.commit()
    connection.close()
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (2, 1)
    rows = query(home, "select source_entity, reason, position from raw.rejects")
    assert rows == [(FRAMES, "invalid UTF-8", 3)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no database at all " * 100, "it is not a SQLite database"),
        (b"", "it has no table memory_frames or raw_archive or erased_subjects or sessions"),
        (b"SQLite format 3\x00" + b"\x01" * 5_000, "SQLite can't read it"),
    ],
)
def test_a_mind_that_can_not_be_read_is_one_line_and_others_land(
    home: Path, folder: Path, data: bytes, reason: str
) -> None:
    write(folder / "a.jsonl", claude("first"))
    mind(folder / "good.mind", "kept").close()
    (folder / "bad.mind").write_bytes(data)
    report = land_into(home, folder)
    assert [path for path, _ in report.failed] == [str(folder / "bad.mind")]
    assert report.failed[0][1].startswith(reason)
    assert "\n" not in report.failed[0][1]
    assert report.new_records == 2


def test_a_database_without_frames_is_no_mind(home: Path, folder: Path) -> None:
    folder.mkdir()
    for name in ("other.mind", "other.db"):
        connection = sqlite3.connect(folder / name)
        connection.execute("create table other (id integer)")
        connection.commit()
        connection.close()
    report = land_into(home, folder)
    reason = "it has no table memory_frames or raw_archive or erased_subjects or sessions"
    assert report.failed == ((str(folder / "other.mind"), reason),)
    assert report.skipped == ((str(folder / "other.db"), "no source recognises it"),)


def test_a_mind_by_another_name_is_known_by_its_table(home: Path, folder: Path) -> None:
    mind(folder / "backup.db", "kept").close()
    assert land_into(home, folder).new_records == 1


def test_a_folder_where_a_mind_belongs_is_reported(home: Path, tmp_path: Path) -> None:
    (tmp_path / ".hive-mind/global.mind").mkdir(parents=True)
    write(tmp_path / ".claude/projects/-x/a.jsonl", claude("first"))
    report = land_into(home)
    reason = "it is a folder where a file belongs"
    assert report.failed == ((str(tmp_path / ".hive-mind/global.mind"), reason),)
    assert report.new_records == 1


def test_the_usual_places_are_searched(home: Path, tmp_path: Path) -> None:
    user, work = tmp_path / "user", tmp_path / "work"
    write(user / ".claude/projects/-x/a.jsonl", claude("usual"))
    write(user / ".config/claude/projects/-x/a.jsonl", claude("config"))
    write(tmp_path / "moved/projects/-x/a.jsonl", claude("moved"))
    write(user / ".openclaw/agents/main/sessions/s1.jsonl", HEADER)
    write(tmp_path / "state/agents/main/sessions/s2.jsonl", HEADER.replace("s1", "s2"))
    mind(user / ".hive-mind/global.mind", "everywhere").close()
    mind(work / ".hive-mind/workspace.mind", "here").close()
    mind(tmp_path / ".hive-mind/workspace.mind", "above").close()
    (work / "deep/er").mkdir(parents=True)
    environ = {
        "HOME": str(user),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "moved"),
        "OPENCLAW_STATE_DIR": str(tmp_path / "state"),
    }
    land_into(home, environ=environ, cwd=work / "deep/er")
    assert payloads(home) == sorted([claude("usual"), claude("config"), claude("moved")])
    assert query(home, f"select container from raw.{TRANSCRIPT} order by all") == [("s1",), ("s2",)]
    contents = [json.loads(payload)["content"] for payload in payloads(home, FRAMES)]
    assert sorted(contents) == ["everywhere", "here"]


def test_only_the_sources_asked_for_land(home: Path, folder: Path) -> None:
    write(folder / "a.jsonl", claude("first"))
    write(folder / "s1.jsonl", HEADER)
    report = land_into(home, folder, sources=["openclaw"])
    assert {count.source_entity for count in report.entities} == {
        TRANSCRIPT,
        "openclaw__session_files",
    }
    reason = "of claude_code, which was not asked for"
    assert report.skipped == ((str(folder / "a.jsonl"), reason),)


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder with an identity of its own."""
    own = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    identity = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "protocol.file.allow=always",
    ]
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, env=own, check=True, capture_output=True
    )


def repository(folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")
    return folder.resolve()


def test_git_is_asked_about_repository_worktree_submodule_and_plain_folder(tmp_path: Path) -> None:
    environ = dict(os.environ)
    top = repository(tmp_path / "app")
    git(top, "remote", "add", "origin", "https://someone:secret@example.org/team/app.git")
    git(top, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    module = repository(tmp_path / "module")
    git(top, "submodule", "--quiet", "add", str(module), "part")
    (top / "inner").mkdir()
    (tmp_path / "plain").mkdir()
    nothing = {
        "type": "git_checkout",
        "cwd": str(tmp_path / "plain"),
        "top_level": None,
        "common_dir": None,
        "remote": None,
        "is_worktree": False,
        "is_bare": False,
        "superproject": None,
    }
    inside = {
        **nothing,
        "top_level": str(top),
        "common_dir": str(top / ".git"),
        "remote": "https://example.org/team/app.git",
    }

    def answer(cwd: Path) -> object:
        text = checkout(str(cwd), environ)
        return text and json.loads(text)

    assert answer(top / "inner") == {**inside, "cwd": str(top / "inner")}
    assert answer(tmp_path / "tree") == {
        **inside,
        "cwd": str(tmp_path / "tree"),
        "top_level": str((tmp_path / "tree").resolve()),
        "is_worktree": True,
    }
    assert answer(top / "part") == {
        **nothing,
        "cwd": str(top / "part"),
        "top_level": str(top / "part"),
        "common_dir": str(top / ".git/modules/part"),
        "remote": str(module),
        "superproject": str(top),
    }
    assert answer(tmp_path / "plain") == nothing
    assert answer(tmp_path / "gone") is None
    assert answer(Path("relative")) is None
    assert checkout(str(top), {"PATH": str(tmp_path)}) is None


def test_git_answers_land_once_for_each_folder_that_lines_name(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    top = repository(tmp_path / "app")
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "GIT_DIR": "/nowhere"}
    write(folder / "a.jsonl", claude("one", cwd=str(top)), claude("two", cwd="/no/such/folder"))
    write(folder / "s1.jsonl", HEADER.replace("/none", str(top)))
    land_into(home, folder, environ=environ)
    rows = query(home, "select container, origin, payload from raw.git__checkouts")
    assert [row[:2] for row in rows] == [(str(top), str(top))]
    assert json.loads(rows[0][2])["top_level"] == str(top)
    write(folder / "a.jsonl", claude("three", cwd=str(top)))
    git(top, "remote", "add", "origin", "https://example.org/later.git")
    land_into(home, folder, environ=environ)
    assert query(home, "select count(*) from raw.git__checkouts") == [(1,)]


def test_checkouts_land_from_a_file_and_git_is_not_asked_again(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    top = repository(tmp_path / "app")
    line = json.dumps({"type": "git_checkout", "cwd": str(top), "top_level": "/elsewhere"})
    write(folder / "demo.checkouts.jsonl", line)
    write(folder / "talk.jsonl", claude("one", cwd=str(top)))
    land_into(home, folder, environ=dict(os.environ))
    rows = query(home, "select container, payload from raw.git__checkouts")
    assert rows == [(str(top), line)]
