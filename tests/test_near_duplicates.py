"""Near-duplicates: which pairs are listed, what guards them, and that nothing is lost by it."""

import csv
from collections.abc import Sequence
from pathlib import Path

import duckdb
import jinja2
import pytest

PROJECT = Path(__file__).resolve().parents[1]
PATTERN_FOLDERS = ("engine", "rules", "text")
REPORTED = [
    ("Project deadline is October 15th", "Project deadline is October 16th", ["date", "number"]),
    ("pin numpy 1.26", "pin numpy 2.1", ["number", "version"]),
    ("do use tabs", "do not use tabs", ["negation"]),
    ("The server port is 8080", "The server port is 8081", ["number"]),
    (
        "Deploy on Monday at 09:00 to cluster A",
        "Deploy on Tuesday at 09:00 to cluster A",
        ["date"],
    ),
    ("User does like cilantro", "User does not like cilantro", ["negation"]),
]


def rendered(template: str) -> str:
    """SQL of a template that uses the project's macros."""
    files = [file for name in PATTERN_FOLDERS for file in (PROJECT / "macros" / name).glob("*.sql")]
    macros = "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))
    environment = jinja2.Environment(autoescape=False, extensions=["jinja2.ext.do"])
    return environment.from_string(macros + template).render(ref=lambda name: name)


def warehouse(
    texts: Sequence[str], scopes: Sequence[str] | None = None
) -> duckdb.DuckDBPyConnection:
    """Facts with these texts, each a minute after the one before."""
    engine = duckdb.connect()
    engine.execute(
        "create table facts (fact_id varchar, namespace varchar, project_key varchar,"
        " text varchar, t_valid timestamp, is_current boolean)"
    )
    for number, text in enumerate(texts):
        engine.execute(
            "insert into facts values (?, 'default', ?, ?,"
            " timestamp '2026-06-01' + interval (?) minute, true)",
            [f"f{number:04d}", scopes[number] if scopes else "acme/app", text, number],
        )
    return engine


def pairs(
    texts: Sequence[str], scopes: Sequence[str] | None = None
) -> list[tuple[str, str, list[str]]]:
    """Both texts and the guards of each pair of the mart."""
    model = (PROJECT / "models" / "marts" / "near_duplicates.sql").read_text(encoding="utf-8")
    return (
        warehouse(texts, scopes)
        .execute(
            "select text, other_text, guards from (" + rendered(model) + ")"
            " order by fact_id, other_fact_id"
        )
        .fetchall()
    )


def guards_of(text: str, other: str) -> list[str]:
    """The guards that differ between two texts."""
    parts = "{{ guarded_parts('%s') }}"
    query = rendered(
        "select {{ differing_guards('first', 'second') }} from (select "
        + parts % "one"
        + " as first, "
        + parts % "two"
        + " as second"
        " from (select ? as one, ? as two))"
    )
    found = duckdb.execute(query, [text, other]).fetchone()
    assert found
    return found[0]


def seed_rows() -> list[dict[str, str]]:
    path = PROJECT / "seeds" / "near_duplicate_guards.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", seed_rows(), ids=lambda row: row["guard_id"])
def test_each_guard_tells_its_example_apart_and_not_its_counter_example(
    row: dict[str, str],
) -> None:
    assert row["guard"] in guards_of(*row["example"].split(" | "))
    assert row["guard"] not in guards_of(*row["counter_example"].split(" | "))


@pytest.mark.parametrize(("text", "other", "guards"), REPORTED)
def test_what_upstream_took_for_a_repetition_is_listed_and_guarded(
    text: str, other: str, guards: list[str]
) -> None:
    """BR24: a date, an amount, a version or a negation is another statement."""
    assert pairs([text, other]) == [(text, other, guards)]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("用户喜欢香菜", "用户不喜欢香菜"),
        ("タブを使いました", "タブを使いませんでした"),
        ("会议在星期一", "会议在星期二"),
        ("Bitte Tabs verwenden", "Bitte keine Tabs verwenden"),
        ("Use tabs but not spaces", "use not tabs but spaces"),
        ("The key lies in /etc/app/a.toml", "The key lies in /etc/app/b.toml"),
    ],
)
def test_a_guard_holds_in_every_language_and_place(text: str, other: str) -> None:
    ((*_, guards),) = pairs([text, other])
    assert guards


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Use tabs in the shop's code", "use tabs, in the shop's code!"),
        (
            "User prefers TypeScript over JavaScript for new projects",
            "User prefers TypeScript over JavaScript on new projects",
        ),
        ("never use tabs in makefiles", "do not use tabs in makefiles"),
        ("用户喜欢在周末骑自行车去山里", "用户喜欢在周末骑自行车去海里"),
    ],
)
def test_a_rewording_is_listed_unguarded(text: str, other: str) -> None:
    assert pairs([text, other]) == [(text, other, [])]


@pytest.mark.parametrize(
    "texts",
    [
        ["User enjoys mountain biking on weekends", "User works at an AI startup"],
        ["The user likes tea", "The user likes coffee"],
        ["Ada replaced Bob", "Bob replaced Ada"],
        ["8080", "9090"],
        ["ab", "ac"],
    ],
)
def test_what_says_something_else_is_not_listed(texts: list[str]) -> None:
    assert pairs(texts) == []


def test_facts_of_two_projects_never_meet() -> None:
    text, other, _ = REPORTED[0]
    assert pairs([text, other], ["acme/app", "acme/lib"]) == []


def test_an_earlier_fact_comes_first_and_order_of_rows_changes_nothing() -> None:
    texts = [text for text, *_ in REPORTED] + [other for _, other, _ in REPORTED]
    assert [(text, other) for text, other, _ in pairs(texts)] == [
        (text, other) for text, other, _ in REPORTED
    ]
    assert {frozenset(pair[:2]) for pair in pairs(texts[::-1])} == {
        frozenset(pair[:2]) for pair in REPORTED
    }


def test_each_fact_of_thousands_alike_meets_a_few() -> None:
    found = pairs([f"Build {number} of the nightly job passed" for number in range(3000)])
    assert 3000 <= len(found) <= 4 * 3000
    assert {tuple(guards) for *_, guards in found} == {("number",)}


def test_long_texts_that_differ_in_a_word_are_found() -> None:
    words = [f"w{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(600)]
    texts = [" ".join(words[start : start + 20]) for start in range(0, 580, 29)]
    texts += [text.replace(text.split()[9], "other", 1) for text in texts]
    assert len(pairs(texts)) == 20
