"""Facts over time: what an explicit change ends, what it begins again, and what it leaves alone."""

from collections.abc import Sequence
from pathlib import Path

from fact_stories import INVARIANTS, Change, Memory, Story, built, facts, moment
from plain_build import PlainBuild

from tamis.render import why_text
from tamis.why import why

OLD = Memory("m1", "We deploy with Heroku", 1)
NEW = Memory("m2", "We deploy with Fly", 5)


STORIES: list[tuple[Sequence[Memory], Sequence[Change], list[str]]] = [
    (  # The new fact's day ends the old one.
        [OLD, NEW],
        [Change("supersede", "m1", "m2", 5)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Nothing ends without an operation, however alike two statements are.
        [OLD, NEW],
        [],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-*"],
    ),
    (  # What is older than what it replaces is born ended.
        [OLD, NEW],
        [Change("supersede", "m2", "m1", 6)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Retired: it ends, and nothing takes its place.
        [OLD],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-3"],
    ),
    (  # An operation of the same moment ends it too; no interval is made up.
        [OLD, Memory("m2", "We deploy with Fly", 1)],
        [Change("supersede", "m1", "m2", 1)],
        ["We deploy with Fly 1-*", "We deploy with Heroku 1-"],
    ),
    (  # So does one whose day nobody noted.
        [Memory("m1", "We deploy with Heroku", None)],
        [Change("retire", "m1")],
        ["We deploy with Heroku -"],
    ),
    (  # A, B, A again by operations: A is true twice, with a gap.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [Change("supersede", "m1", "m2", 5), Change("supersede", "m2", "m3", 9)],
        [
            "We deploy with Fly 5-9",
            "We deploy with Heroku 1-5",
            "We deploy with Heroku 9-*",
        ],
    ),
    (  # Saying it again revives nothing: no operation took the ending back.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [
            Change("supersede", "m1", "m2", 5),
            Change("duplicate", "m3", "m1", 10),
        ],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Reopened: it stands again from that day, though nobody said it anew.
        [OLD],
        [Change("retire", "m1", day=3), Change("reopen", "m1", day=7)],
        ["We deploy with Heroku 1-3", "We deploy with Heroku 7-*"],
    ),
    (  # What the store still says elsewhere was not taken back.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # A duplicate of the same words ends nothing.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("duplicate", "m2", "m1", 3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # Twins that add to each other both stand.
        [OLD, Memory("m2", "We deploy with Heroku on Fridays", 2)],
        [Change("duplicate", "m9", "m1", 3)],
        ["We deploy with Heroku 1-*", "We deploy with Heroku on Fridays 2-*"],
    ),
]


def test_facts_over_time() -> None:
    found = facts([(memories, changes) for memories, changes, _ in STORIES])
    assert found == [expected for _, _, expected in STORIES]
    turned = [(memories[::-1], changes[::-1]) for memories, changes, _ in STORIES]
    assert facts(turned) == found


def test_a_long_chain_and_circles_end() -> None:
    chain = [Memory(f"m{n}", f"The port is {7000 + n}", float(n)) for n in range(1000)]
    steps = [Change("supersede", f"m{n}", f"m{n + 1}", float(n + 1)) for n in range(999)]
    circle = [
        Change("supersede", "m1", "m2", 5),
        Change("supersede", "m2", "m1", 6),
        Change("supersede", "m1", "m1", 7),
    ]
    found = facts([(chain, steps), ([OLD, NEW], circle)])
    assert [fact for fact in found[0] if fact.endswith("*")] == ["The port is 7999 999-*"]
    assert found[1] == [
        "We deploy with Fly 5-6",
        "We deploy with Heroku 1-5",
        "We deploy with Heroku 6-*",
    ]


def test_an_operation_reaches_no_other_owner_or_project() -> None:
    agents = Memory("m1", "We deploy with Heroku", 1, agent="scout")
    in_app = Memory("m1", "We deploy with Heroku", 1, project="app")
    in_lib = Memory("m2", "We deploy with Fly", 5, project="lib")
    stories: list[Story] = [
        ([agents, NEW], [Change("supersede", "m1", "m2", 5)]),
        ([in_app, in_lib], [Change("supersede", "m1", "m2", 5)]),
        ([agents, OLD], [Change("retire", "m1", day=5)]),
        ([in_app, agents, OLD, NEW], [Change("supersede", "m1", "m2", 5)]),
        ([], [Change("retire", "m1", day=5)]),
        ([in_app, Memory("m1", "We deploy with Fly", 2, project="lib")], [Change("retire", "m1")]),
    ]
    build = built(stories)
    assert build.rows(
        "select text, not is_current, t_invalid from built.facts where not is_current"
    ) == []  # fmt: skip
    assert build.rows(
        "select target_fact_id, target_native_id, kind, unresolved_reason"
        " from built.fact_corrections order by target_native_id"
    ) == [
        (None, "0/m1", "supersede", "what replaces it is of another owner or project"),
        (None, "1/m1", "supersede", "what replaces it is of another owner or project"),
        (None, "2/m1", "retire", "memories of several owners have that id"),
        (None, "3/m1", "supersede", "several memories have that id"),
        (None, "4/m1", "retire", "no memory of that id has landed"),
        (None, "5/m1", "retire", "memories of several projects have that id"),
    ]


def test_a_correction_says_what_why_who_and_when() -> None:
    build = built(
        [
            ([OLD, NEW], [Change("supersede", "m1", "m2", 5)]),
            ([OLD], [Change("retire", "m1", day=3), Change("reopen", "m1", day=7)]),
            ([OLD, Memory("m2", "We deploy on Heroku", 2)], [Change("duplicate", "m2", "m1", 4)]),
            ([OLD, Memory("m2", "We deploy with Heroku", 2)], [Change("retire", "m1", day=3)]),
        ]
    )
    assert build.rows(
        "select corrections.kind, ended.text, begun.text, reason, actor,"
        " epoch(decided_at - timestamp '2026-06-01') / 86400, source, unresolved_reason"
        " from built.fact_corrections as corrections"
        " left join built.facts as ended on corrections.target_fact_id = ended.fact_id"
        " left join built.facts as begun on corrections.replacement_fact_id = begun.fact_id"
        " order by target_native_id, decided_at"
    ) == [
        ("supersede", OLD.text, NEW.text, "said so", "someone", 5, "mem0", None),
        ("retire", OLD.text, None, "said so", "someone", 3, "mem0", None),
        ("reopen", OLD.text, OLD.text, "said so", "someone", 7, "mem0", None),
        ("duplicate", "We deploy on Heroku", OLD.text, "said so", "someone", 4, "mem0", None),
        (
            "retire",
            None,
            None,
            *("said so", "someone", 3, "mem0"),
            "its store still says it elsewhere",
        ),
    ]


def test_why_tells_each_version_and_who_replaced_it(tmp_path: Path) -> None:
    again = Memory("m3", OLD.text, 9)
    build = built(
        [
            (
                [OLD, NEW, again],
                [
                    Change("supersede", "m1", "m2", 5),
                    Change("supersede", "m2", "m3", 9),
                    Change("retire", "m2", day=4),
                    Change("supersede", "m2", "m8", None),
                ],
            ),
            ([OLD, Memory("m2", OLD.text, 2)], [Change("retire", "m1", day=3)]),
        ]
    )
    build.build("curation_summary")
    folder = tmp_path / "published" / "build"
    folder.mkdir(parents=True)
    (folder.parent / "CURRENT").write_text("build\n")
    for mart in ("facts", "fact_sources", "fact_corrections", "rejections", "curation_summary"):
        build.engine.execute(f"copy built.{mart} to '{folder / mart}.parquet'")
    ids = build.rows(
        "select user_id, fact_id from built.facts"
        f" where text = '{OLD.text}' order by user_id, t_valid"
    )
    first, second, held = (fact_id for _, fact_id in ids)
    found = why(tmp_path, first)
    assert [version["fact_id"] for version in found["versions"]] == [first, second]
    text = why_text(found)
    assert f"→ {first}: from 2026-06-02 00:00:00 to 2026-06-06 00:00:00" in text
    assert f"- {second}: from 2026-06-10 00:00:00" in text
    assert "supersede: said so (by someone, on 2026-06-06 00:00:00, told by mem0)" in text
    assert f": {NEW.text}" in text
    assert "it took the place of fact" in why_text(why(tmp_path, second))
    assert "changed nothing: its store still says it elsewhere" in why_text(why(tmp_path, held))


def test_stores_operations_reach_their_facts() -> None:
    build = PlainBuild(sources=["mem0", "hive_mind"])
    build.land(
        "mem0__history",
        [
            history("h1", "m1", "ADD", None, OLD.text, 1),
            history("h2", "m1", "DELETE", OLD.text, None, 5),
            history("h3", "m2", "ADD", None, "We no longer deploy with Heroku, we use Fly", 5),
            history("h4", "m3", "ADD", None, "The port is 8080", 1),
            history("h5", "m3", "UPDATE", "The port is 8080", "The port is 9090", 3),
        ],
    )
    build.land(
        "hive_mind__memory_frames",
        [
            frame(1, "The cache is Redis", "deprecated"),
            frame(2, "The cache is Redis", "normal"),
            frame(3, "The cache is Memcached", "deprecated"),
        ],
    )
    build.build("facts", "fact_sources", "fact_corrections", "rejections")
    for invariant in INVARIANTS:
        assert build.rows(invariant.read_text(encoding="utf-8")) == [], invariant.stem
    assert build.rows(
        "select facts.text, facts.is_current, day(facts.t_invalid), news.text"
        " from built.facts as facts"
        " left join built.facts as news on facts.superseded_by = news.fact_id order by 1"
    ) == [
        ("The cache is Memcached", False, None, None),
        ("The cache is Redis", True, None, None),
        ("The port is 8080", False, 4, "The port is 9090"),
        ("The port is 9090", True, None, None),
        ("We deploy with Heroku", False, 6, None),
        ("We no longer deploy with Heroku, we use Fly", True, None, None),
    ]


def history(
    change: str, memory: str, event: str, old: str | None, new: str | None, on_day: float
) -> dict[str, str | None]:
    """A row of mem0's history."""
    return {
        "id": change,
        "memory_id": memory,
        "event": event,
        "old_memory": old,
        "new_memory": new,
        "created_at": f"{moment(on_day)}",
    }


def frame(number: int, text: str, importance: str) -> dict[str, str | int]:
    """A frame of a mind."""
    return {
        "id": number,
        "frame_type": "I",
        "gop_id": "g",
        "content": text,
        "importance": importance,
        "created_at": f"{moment(number)}",
    }
