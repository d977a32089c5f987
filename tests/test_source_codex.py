"""Codex: which files are its own, what landing keeps, and what staging makes of its rollouts."""

import json
import shutil
from pathlib import Path

import pytest
from captures import codex
from landing_home import append, kept, land_into, payloads, query, write
from test_samples import TURNS, built

from tamis.sources.codex import CODEX

ROLLOUTS, HISTORY = "codex__rollouts", "codex__history"
META = (
    '{"timestamp":"2026-05-04T09:00:00.000Z","type":"session_meta",'
    '"payload":{"id":"%s","cwd":"/x"}}'
)
ITEM = (
    '{"timestamp":"2026-05-04T09:00:01.000Z","type":"response_item","payload":{"type":"message",'
    '"role":"user","content":[{"type":"input_text","text":"%s"}]}}'
)
BARE = '{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}'
ODD_TURN = "Half a lamp \ufffd is on the stairs"
NAME = f"rollout-2026-05-04T09-00-00-{codex.DUAL}.jsonl"


@pytest.mark.parametrize(
    "line",
    [
        META % "s1",
        ITEM % "hi",
        '{"timestamp":"t","ordinal":3,"type":"world_state","payload":{}}',
        '{"id":"s1","timestamp":"2025-08-20T09:00:00.000Z","instructions":null}',
        '{"record_type":"state"}',
        BARE,
        '{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}',
    ],
)
def test_a_rollout_is_known_by_its_lines_whatever_its_name(
    home: Path, folder: Path, line: str
) -> None:
    write(folder / "any.jsonl", "{broken", line)
    report = land_into(home, folder)
    assert payloads(home, ROLLOUTS) == [line]
    assert (report.new_records, report.rejects, report.skipped) == (1, 1, ())


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("a.jsonl", '{"type":"response_item","payload":"x","timestamp":"t"}', "no source"),
        ("a.jsonl", '{"type":"other","payload":{},"timestamp":"t"}', "no source"),
        ("a.jsonl", '{"type":"thread.started","thread_id":"x"}', "no source"),
        ("a.jsonl", '{"type":"message","role":"user","content":"hi"}', "no source"),
        ("a.jsonl", '{"session_id":"x","ts":"late","text":"hi"}', "no source"),
        (".codex/session_index.jsonl", '{"id":"x","thread_name":"y"}', "Codex session index"),
        (".codex/auth.json", "{}", "Codex login"),
        (".codex/state_5.sqlite", "SQLite format 3", "Codex state database"),
        ("moved/state_5.sqlite", "CREATE TABLE threads (rollout_path", "Codex state database"),
        ("moved/state_5.sqlite", "CREATE TABLE other (id)", "no source"),
    ],
)
def test_what_is_no_rollout_is_skipped(
    home: Path, folder: Path, name: str, line: str, reason: str
) -> None:
    path = write(folder / name, line)
    report = land_into(home, folder)
    assert [(skipped, why.startswith(reason)) for skipped, why in report.skipped] == [
        (str(path), True)
    ]
    assert (report.records, report.failed) == (0, ())


def test_the_first_head_names_the_file_and_prompts_name_their_own(home: Path, folder: Path) -> None:
    write(folder / "one.jsonl", META % "own", META % "parent", ITEM % "hi")
    write(folder / NAME, ITEM % "headless")
    write(folder / "history.jsonl", '{"session_id":"a","ts":1,"text":"x"}')
    land_into(home, folder)
    assert query(home, f"select container, count(*) from raw.{ROLLOUTS} group by 1 order by 1") == [
        (codex.DUAL, 1),
        ("own", 3),
    ]
    assert query(home, f"select container from raw.{HISTORY}") == [("a",)]


def test_the_usual_places_are_searched(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "user/.codex/sessions/2026/05/04" / NAME, META % "usual")
    write(tmp_path / "user/.codex/archived_sessions" / NAME, META % "archived")
    write(tmp_path / "moved/history.jsonl", '{"session_id":"a","ts":1,"text":"x"}')
    write(tmp_path / "user/.codex/other.jsonl", META % "elsewhere")
    environ = {"HOME": str(tmp_path / "user"), "CODEX_HOME": str(tmp_path / "moved")}
    land_into(home, environ=environ)
    found = query(home, f"select container from raw.{ROLLOUTS} order by 1")
    assert found == [("archived",), ("usual",)]
    assert query(home, f"select count(*) from raw.{HISTORY}") == [(1,)]


def test_a_session_that_grows_moves_is_copied_or_packed_lands_once(
    home: Path, folder: Path
) -> None:
    path = write(folder / "sessions" / NAME, META % "s1", ITEM % "yes", ITEM % "yes")
    assert land_into(home, folder).new_records == 3
    before = kept(home, ROLLOUTS)
    assert land_into(home, folder).new_records == 0
    shutil.copytree(folder, folder.with_name("copy"))
    assert land_into(home, folder.with_name("copy")).new_records == 0
    packed = folder / "archived_sessions" / f"{NAME}.zst"
    packed.parent.mkdir()
    with codex.pa.CompressedOutputStream(str(packed), "zstd") as stream:
        stream.write(path.read_bytes())
    path.unlink()
    assert land_into(home, folder).new_records == 0
    assert kept(home, ROLLOUTS) == before
    grown = write(folder / "sessions" / NAME, META % "s1", ITEM % "yes", ITEM % "yes")
    append(grown, (ITEM % "yes") + "\n" + (ITEM % "torn")[:40])
    assert land_into(home, folder).new_records == 1
    append(grown, (ITEM % "torn")[40:] + "\n")
    assert land_into(home, folder).new_records == 1
    write(grown, META % "s1", ITEM % "edited")
    assert land_into(home, folder).new_records == 1
    assert query(home, f"select count(*) from raw.{ROLLOUTS}") == [(6,)]


def turns(home: Path, role: str = "user") -> dict[str, list[str]]:
    """What a role says in each Codex thread, each turn once, before noise verdicts."""
    found: dict[str, list[str]] = {}
    with_system = TURNS.replace("events.cwd", "events.source_system")
    for session, system, speaker, body in query(home, with_system):
        if (system, speaker) == ("codex", role):
            found.setdefault(session, []).append(body)
    return found


def test_each_turn_is_told_once_in_the_thread_where_it_was_said(built_sources: Path) -> None:
    assert turns(built_sources) == {
        codex.DUAL: [
            "The lamp service listens on port 7443",
            "carry on with the lamp manual",
            "carry on with the lamp manual",
        ],
        codex.SINGLE: ["go on", "go on"],
        codex.FORK: ["The lamp is painted blue"],
        codex.GRANDCHILD: ["The lamp is painted blue"],
        codex.ROLLED: [f"The shelf is made of {name}" for name in ("oak", "elm", "fir", "ash")],
        codex.BARE: ["The lamp needs a 40 W bulb"],
        codex.PACKED: ["The packed lamp has no bulb"],
        codex.EDITOR: ["Keep the lamp's price below 40 euro"],
        codex.HEADLESS: ["Who checks the lamp's cable?"],
        codex.GONE: ["The lamp store opens at nine"],
        codex.ODD: [ODD_TURN],
    }


def test_each_answer_is_told_once_and_what_is_said_twice_stays_twice(built_sources: Path) -> None:
    """BR36: nothing twice in the dual form, nothing lost in the single one."""
    answers = turns(built_sources, "assistant")
    assert answers[codex.DUAL] == [
        "The config holds it.",
        "The config holds it.",
        "Chapter t2 is written.",
        "Chapter t3 is written.",
    ]
    assert answers[codex.SINGLE] == ["The chart has two axes."] * 2
    assert answers[codex.HEADLESS] == ["The night shift does."]
    assert codex.AGENT not in answers


def test_copies_are_covered_by_what_they_copy(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select json_extract_string(metadata, '$.copy_kind') as copy_kind, verdicts.cover_rule,"
        " verdicts.root_event_id <> verdicts.event_id, count(*)"
        " from intermediate.int_events_unioned as events"
        " inner join intermediate.int_events_deduplicated as verdicts using (event_id)"
        " where events.source_system = 'codex' and copy_kind is not null group by all order by all",
    )
    assert rows == [
        ("event_msg copy", "event_msg copy", True, 19),
        ("prompt history", "prompt history", True, 3),
    ]


def test_a_copied_history_is_sightings_of_its_original(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select sighting_count, count(*), min(occurred_at)::varchar, max(occurred_at)::varchar"
        " from intermediate.int_events_unioned"
        f" where session_id = '{codex.DUAL}' and source_entity = 'rollouts' group by all",
    )
    assert rows == [(3, 21, "2026-05-04 09:00:01", "2026-05-04 09:03:25")]
    blue = query(
        built_sources,
        "select session_id, sighting_count from intermediate.int_events_unioned"
        " where content = 'The lamp is painted blue' order by all",
    )
    assert blue == [(codex.FORK, 2)] * 2 + [(codex.GRANDCHILD, 1)] * 2


def test_kinds_and_roles(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select role, event_kind, count(distinct event_id) from staging.stg_codex__events"
        f" where session_id in ('{codex.DUAL}', '{codex.ROLLED}', '{codex.BARE}', '{codex.AGENT}')"
        " group by all order by all",
    )
    assert rows == [
        ("assistant", "system", 1),
        ("assistant", "tool_call", 2),
        ("assistant", "turn", 15),
        ("developer", "system", 1),
        ("reasoning", "system", 2),
        ("system", "summary", 1),
        ("tool", "tool_result", 1),
        ("user", "prompt", 4),
        ("user", "turn", 18),
    ]


def test_a_turns_folder_holds_until_the_next_names_another(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select distinct session_id, turn_id, cwd, git_branch, occurred_at is null"
        " from staging.stg_codex__events where event_kind = 'turn'"
        f" and session_id in ('{codex.DUAL}', '{codex.BARE}', '{codex.GONE}') order by all",
    )
    assert rows == [
        (codex.DUAL, "t1", codex.FOLDER, "main", False),
        (codex.DUAL, "t2", codex.FOLDER, "main", False),
        (codex.DUAL, "t3", f"{codex.FOLDER}/docs", "main", False),
        (codex.BARE, None, codex.FOLDER, None, False),
        (codex.GONE, None, None, None, False),
    ]


def test_a_rollback_retires_the_turns_that_it_takes_back(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select kind, actor, events.role, events.content, changes.occurred_at::varchar,"
        " json_extract_string(changes.metadata, '$.turn_count')"
        " from staging.stg_codex__changes as changes"
        " inner join staging.stg_codex__events as events"
        " on changes.target_native_id = events.native_id order by events.occurred_at",
    )
    assert rows == [
        ("retire", "user", "user", "The shelf is made of elm", "2026-05-04 10:00:13", "2"),
        ("retire", "user", "assistant", "Noted, elm it is.", "2026-05-04 10:00:13", "2"),
        ("retire", "user", "user", "The shelf is made of fir", "2026-05-04 10:00:13", "2"),
        ("retire", "user", "assistant", "Noted, fir it is.", "2026-05-04 10:00:13", "2"),
        ("retire", "user", "user", "The shelf is made of ash", "2026-05-04 10:00:16", "1"),
        (
            "retire",
            "user",
            "user",
            "Half a lamp \ufffd is on the stairs",
            "2026-05-04 13:00:07",
            None,
        ),
    ]


def test_the_samples_give_their_turns(tmp_path: Path, shared: Path) -> None:
    expected = json.loads((shared / "samples/EXPECTED.json").read_text())["codex"]
    home = tmp_path / "home"
    built(home, shared / "samples/codex").close()
    marked = expected["human_turns_expected"]
    bare = {
        session: [text.removesuffix(" (then rolled back: 1 turn)") for text in texts]
        for session, texts in marked.items()
    }
    assert turns(home) == bare
    taken_back = query(
        home,
        "select distinct events.session_id, events.content from staging.stg_codex__changes as done"
        " inner join staging.stg_codex__events as events"
        " on done.target_native_id = events.native_id where events.role = 'user'",
    )
    assert taken_back == [
        (session, bare[session][0]) for session in marked if marked[session] != bare[session]
    ]


def test_real_rollouts_land_once_and_versions_only_add(home: Path, shared: Path) -> None:
    real = shared / "real/codex"
    seen: set[str] = set()
    for version in sorted((real / "ctgunn__youtube-mcp-server/versions").iterdir()):
        land_into(home, version)
        ids = {row[0] for row in query(home, f"select record_id from raw.{ROLLOUTS}")}
        assert seen < ids
        seen = ids
    assert len(seen) == 731
    report = land_into(home, real)
    counts = {count.source_entity: count.new_records for count in report.entities}
    assert counts == {ROLLOUTS: 4326, HISTORY: 153}
    assert (land_into(home, real).new_records, report.rejects, report.failed) == (0, 0, ())


def test_the_version_is_the_one_that_a_rollouts_head_names(built_sources: Path) -> None:
    folder = built_sources.parent / "from" / "codex"
    files = [path for path in sorted(folder.rglob("rollout-*.jsonl")) if path.is_file()]
    versions = {CODEX.version_of(path, path.read_bytes()) for path in files}
    assert versions - {None} == {"0.120.0", "0.153.0"}
    assert CODEX.version_of(folder, b'{"payload": 1}\n[]') is None
