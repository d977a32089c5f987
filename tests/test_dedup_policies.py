"""Policies of deduplication: which statements are stored again, and what becomes of the fact."""

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from command_line import run_models
from landing_home import query
from plain_build import PROJECT, PlainBuild
from test_macros import sql_of
from test_rules import copied_seeds

from tamis import recency
from tamis.errors import TamisError
from tamis.rules.render import render_rules
from tamis.rules.rows import policy_in_force, read_rows

SEQUENCES = 10_000
BEGIN = datetime(2026, 6, 1, 10, 0, 0)
INVARIANTS = sorted((PROJECT / "tests" / "invariants").glob("*.sql"))


def rules_with(folder: Path, policy_id: str, window_size: str | None = None) -> Path:
    """The rules, rendered with another policy in force."""

    def mark(rows: list[dict[str, str]]) -> None:
        for row in rows:
            row["is_default"] = "true" if row["policy_id"] == policy_id else "false"
            if row["policy_id"] == policy_id and window_size is not None:
                row["window_size"] = window_size

    rules = folder / "rules"
    render_rules(copied_seeds(folder / "seeds", "dedup_policies", mark), rules)
    return rules


def frames(
    said: Sequence[tuple[str, float | None] | tuple[str, float | None, dict[str, Any]]],
) -> list[dict[str, Any]]:
    """hive-mind frames: texts with the seconds after the beginning, and other columns."""
    return [
        {
            "id": number,
            "frame_type": "I",
            "gop_id": "g",
            "content": text,
            "importance": "normal",
            "created_at": None if at is None else f"{BEGIN + timedelta(seconds=at)}",
            **(more[0] if more else {}),
        }
        for number, (text, at, *more) in enumerate(said)
    ]


def built(rules: Path, payloads: Sequence[dict[str, Any]]) -> PlainBuild:
    """A build of hive-mind frames in which every invariant holds."""
    build = PlainBuild(rules, sources=["hive_mind"])
    build.land("hive_mind__memory_frames", payloads)
    build.build("facts", "fact_sources", "fact_corrections", "rejections")
    for invariant in INVARIANTS:
        assert build.rows(invariant.read_text(encoding="utf-8")) == [], invariant.stem
    return build


@dataclass(frozen=True)
class Version:
    """A version of a fact, times in seconds after the beginning."""

    text: str
    begin: float | None
    end: float | None
    sightings: int


def versions(build: PlainBuild) -> list[Version]:
    """The versions of all facts, by text and beginning."""
    rows = build.rows(
        "select text, t_valid, t_invalid, capture_count from built.facts"
        " order by text, t_valid nulls first"
    )

    def seconds(moment: datetime | None) -> float | None:
        return None if moment is None else (moment - BEGIN).total_seconds()

    return [Version(text, seconds(begin), seconds(end), n) for text, begin, end, n in rows]


def windows_and_keys() -> list[tuple[int, list[str]]]:
    """Random sequences of keys, each with a window; always the same ones."""
    dice = random.Random(20260601)
    cases = []
    for _ in range(SEQUENCES):
        window = min(500, int(2 ** dice.uniform(0, 9)))
        names = max(1, int(window * dice.uniform(0.3, 2)))
        length = dice.randint(0, min(3 * window + 5, 700))
        cases.append((window, [f"k{dice.randrange(names)}" for _ in range(length)]))
    cases[0] = (500, [f"k{number % 501}" for number in range(1500)])
    cases[1] = (500, [f"k{number % 500}" for number in range(1500)])
    return cases


def test_the_recency_window_stores_what_a_store_one_row_at_a_time_would() -> None:
    cases = windows_and_keys()
    dice = random.Random(7)
    always = [[dice.random() < 0.05 for _ in keys] for _, keys in cases]
    expected = []
    for (window, keys), flags in zip(cases, always, strict=True):
        stored: list[str] = []
        answers = []
        for key, is_always_stored in zip(keys, flags, strict=True):
            answers.append(is_always_stored or key not in stored[-window:])
            stored += [key] if answers[-1] else []
        expected.append(answers)
    assert {window for window, _ in cases} >= {1, 2, 3, 500}
    engine = duckdb.connect()
    recency.register(engine)
    engine.execute(
        "create table sequences (number integer, size integer, keys varchar[], flags boolean[])"
    )
    columns = [list(range(len(cases))), [size for size, _ in cases], [k for _, k in cases], always]
    engine.execute(
        "insert into sequences"
        " select unnest($1::integer[]), unnest($2::integer[]),"
        " unnest($3::varchar[][]), unnest($4::boolean[][])",
        columns,
    )
    call = sql_of("stored_in_window('keys', 'flags', 'size')")
    found = engine.execute(f"select {call} from sequences order by number").fetchall()
    assert [answers for (answers,) in found] == expected


def test_the_seconds_window_stores_what_a_store_one_row_at_a_time_would() -> None:
    dice = random.Random(30)
    cases = []
    expected = []
    for _ in range(SEQUENCES):
        size = dice.choice([1, 2, 30, 60, 500])
        span = size * 1000 * 4
        instants = sorted(dice.randint(0, span) for _ in range(dice.randint(0, 20)))
        if instants:
            instants += [instants[0] + size * 1000, instants[0] + size * 1000 - 1]
        stored: list[int] = []
        for instant in sorted(instants):
            if not stored or stored[-1] <= instant - size * 1000:
                stored.append(instant)
        cases.append((size, sorted(instants)))
        expected.append(stored or None)
    engine = duckdb.connect()
    engine.execute("create table sequences (number integer, size integer, instants bigint[])")
    engine.execute(
        "insert into sequences select number, size, nullif(instants, []) from (select"
        " unnest($1::integer[]) as number, unnest($2::integer[]) as size,"
        " unnest($3::bigint[][]) as instants)",
        [list(range(len(cases))), [size for size, _ in cases], [i for _, i in cases]],
    )
    call = sql_of("window_starts('instants', '(size - 0.001)')")
    found = engine.execute(f"select {call} from sequences order by number").fetchall()
    assert [starts for (starts,) in found] == expected


def test_a_statement_made_again_is_a_sighting_by_default(tmp_path: Path) -> None:
    said = [("A pump", 0), ("B pump", 1), ("A pump", 86_400), ("A pump", 864_000)]
    build = built(PROJECT / "macros" / "rules", frames(said))
    assert versions(build) == [Version("A pump", 0, None, 3), Version("B pump", 1, None, 1)]
    assert build.rows("select * from built.fact_corrections") == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("ABBBA", ["A 0- 2", "B 1- 3"]),
        ("ABCA", ["A 0-3 1", "A 3- 1", "B 1- 1", "C 2- 1"]),
        ("ABCAA", ["A 0-3 1", "A 3- 2", "B 1- 1", "C 2- 1"]),
        ("AAABCA", ["A 0-5 3", "A 5- 1", "B 3- 1", "C 4- 1"]),
        ("ABCABCA", ["A 0-3 1", "A 3-6 1", "A 6- 1", "B 1-4 1", "B 4- 1", "C 2-5 1", "C 5- 1"]),
    ],
)
def test_the_recency_window_counts_stored_rows(
    tmp_path: Path, texts: str, expected: list[str]
) -> None:
    said = [(f"{letter} pump", 100.0 * place) for place, letter in enumerate(texts)]
    build = built(rules_with(tmp_path, "recency_window", "2"), frames(said))
    found = [
        f"{version.text[0]} {version.begin / 100:g}-"
        f"{'' if version.end is None else f'{version.end / 100:g}'} {version.sightings}"
        for version in versions(build)
        if version.begin is not None
    ]
    assert found == expected
    corrections = build.rows(
        "select t_invalid, target_fact_id, replacement_fact_id, kind, reason, actor, decided_at"
        " from built.fact_corrections as corrections"
        " inner join built.facts on facts.fact_id = target_fact_id"
    )
    assert len(corrections) == len(expected) - len(set(texts))
    for ended, target, replacement, kind, reason, actor, decided in corrections:
        assert target != replacement and decided == ended
        assert (kind, actor) == ("supersede", "recency_window")
        assert reason == "stated again outside the window of policy recency_window"
    current = build.rows("select count(*)::int from built.facts where is_current")
    assert current == [(len(set(texts)),)]


def test_a_row_without_a_later_time_opens_no_version(tmp_path: Path) -> None:
    said = [
        *(("A pump", 50), ("B pump", 100), ("C pump", 200), ("D pump", 300)),
        *(("A pump", 50, {"gop_id": "h"}), ("A pump", None)),
    ]
    build = built(rules_with(tmp_path, "recency_window", "2"), frames(said))
    assert versions(build)[0] == Version("A pump", 50, None, 3)


def test_deltas_are_stored_again_and_meet_what_follows(tmp_path: Path) -> None:
    said = [("A pump", 0), ("A pump", 100, {"frame_type": "P"}), ("A pump", 200)]
    build = built(rules_with(tmp_path, "recency_window", "2"), frames(said))
    assert versions(build) == [Version("A pump", 0, 100, 1), Version("A pump", 100, None, 2)]


@pytest.mark.parametrize("importance", ["deprecated", "temporary"])
def test_a_frame_that_will_be_deleted_swallows_no_restatement(
    tmp_path: Path, importance: str
) -> None:
    said = [("A pump", 0, {"importance": importance}), ("A pump", 100), ("A pump", 200)]
    build = built(rules_with(tmp_path, "recency_window", "2"), frames(said))
    assert versions(build) == [Version("A pump", 0, 100, 1), Version("A pump", 100, None, 2)]
    said = [("A pump", 0), *(("B pump", 1), ("C pump", 2), ("A pump", 3, said[0][2]))]
    build = built(rules_with(tmp_path / "2", "recency_window", "2"), frames(said))
    assert versions(build)[0] == Version("A pump", 0, None, 2)


def test_the_time_window_compares_with_stored_rows_of_the_session(tmp_path: Path) -> None:
    said = [
        *(("A pump", 0), ("A pump", 29.999), ("A pump", 30), ("A pump", 59.999)),
        *(("A pump", 70, {"gop_id": "h"}), ("A pump", 80)),
    ]
    build = built(rules_with(tmp_path, "time_window"), frames(said))
    assert versions(build) == [
        Version("A pump", 0, 30, 2),
        Version("A pump", 30, 70, 2),
        Version("A pump", 70, 80, 1),
        Version("A pump", 80, None, 1),
    ]


def test_the_narrower_strip_keeps_events_apart(tmp_path: Path) -> None:
    prompt, stop = (
        f"[hm session:s src:codex event:{event}] Use port 7443"
        for event in ("user-prompt-submit", "stop")
    )
    said = [(prompt, 0), (stop, 100), (prompt, 200), (stop, 300)]
    build = built(rules_with(tmp_path, "keep_event_token"), frames(said))
    assert versions(build) == [
        Version("Use port 7443", 0, 100, 1),
        Version("Use port 7443", 100, None, 3),
    ]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"is_default": "false"}, "is_default is true for none"),
        ({"is_default": "yes"}, "row 1 (unbounded) has a bad is_default"),
        ({"scope": "mood"}, "row 1 (unbounded) has a bad scope"),
        ({"distance": "miles"}, "row 1 (unbounded) has a bad distance"),
        ({"window_size": "5"}, "row 1 (unbounded) has a bad window_size"),
        ({"distance": "seconds"}, "row 1 (unbounded) has a bad window_size"),
        ({"distance": "seconds", "window_size": "0"}, "row 1 (unbounded) has a bad window_size"),
        ({"policy_id": "time_window"}, "repeats policy_id time_window"),
    ],
)
def test_a_bad_policy_is_named(tmp_path: Path, changes: dict[str, str], named: str) -> None:
    seeds = copied_seeds(tmp_path / "s", "dedup_policies", lambda rows: rows[0].update(changes))
    with pytest.raises(TamisError) as caught:
        render_rules(seeds, tmp_path / "macros")
    assert named in str(caught.value) and "dedup_policies.csv" in str(caught.value)


def test_two_policies_in_force_are_one_too_many(tmp_path: Path) -> None:
    seeds = copied_seeds(
        tmp_path / "s", "dedup_policies", lambda rows: rows[1].update(is_default="true")
    )
    with pytest.raises(TamisError, match="unbounded, recency_window: mark one"):
        policy_in_force(read_rows(seeds / "dedup_policies.csv"))


def test_dbt_knows_the_recency_window(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "project"
    for name in ("models", "macros", "seeds", "tests/invariants"):
        shutil.copytree(PROJECT / name, project / name)
    for name in ("dbt_project.yml", "profiles.yml"):
        shutil.copy(PROJECT / name, project / name)
    shutil.copytree(
        rules_with(tmp_path, "recency_window", "2"), project / "macros/rules", dirs_exist_ok=True
    )
    home.mkdir()
    said = [(f"{letter} pump", 100.0 * place) for place, letter in enumerate("ABCABBBA")]
    plain = PlainBuild()
    plain.land("hive_mind__memory_frames", frames(said))
    with duckdb.connect(str(home / "tamis.duckdb")) as warehouse:
        rows = plain.rows("select * from raw.hive_mind__memory_frames")
        warehouse.execute("create schema raw")
        warehouse.execute(
            "create table raw.hive_mind__memory_frames (record_id varchar, container varchar,"
            " origin varchar, position bigint, payload varchar, origin_modified_at timestamp,"
            " landed_at timestamp, landing_id varchar)"
        )
        warehouse.executemany(
            "insert into raw.hive_mind__memory_frames values (?, ?, ?, ?, ?, ?, ?, ?)", rows
        )
    run_models(home, "+int_events_deduplicated", project=project)
    counts = query(
        home,
        "select count(distinct fact_id)::int, count(distinct superseded_by)::int,"
        " count(distinct body_hash)::int from intermediate.int_facts_versioned",
    )
    # Stored are A B C A B, each second one a version of its own, and the last A is a hit.
    assert counts == [(5, 2, 3)]
