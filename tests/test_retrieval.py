"""Retrieval: tokens, BM25, dates, neighbours, slots and rules."""

import math
from dataclasses import replace
from datetime import datetime

import bm25s
import numpy as np
import polars as pl
import pytest
from handmade_build import fact
from hypothesis import given
from hypothesis import strategies as st
from searching import WORDS_ONLY, apart, ids, pairs

from tamis.recall.dates import NamedDate, named_dates
from tamis.recall.postings import bm25, build_postings
from tamis.recall.rules import AUTOMATIC, EXPLICIT, Rules, Scale, calibrate
from tamis.recall.search import DEFAULT, Query, Settings, search
from tamis.recall.slots import slot_groups
from tamis.recall.store import Store
from tamis.recall.tokens import question_tokens, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Deploys were deployed, deploying", ["deploy", "were", "deploy", "deploy"]),
        ("पोर्ट हिन्दी", ["पोर्ट", "हिन्द"]),
        ("שָׁלוֹם", tokenize("שלום")),
        ("كِتَاب", tokenize("كتاب")),
        ("порты портов", ["порт", "порт"]),
        ("การตั้งค่า", ["กา", "าร", "รต", "ตั", "ั้", "้ง", "งค", "ค่", "่า"]),
        # The English stem is there too: a question of one word tells no language.
        ("die Häuser sind nicht am Hafen", [*tokenize("die häuser sind nicht am hafen")]),
    ],
)
def test_tokenize_knows_scripts(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_words_of_another_language_are_found_by_their_own_stem_too() -> None:
    assert {"haus", "hauser"} <= set(tokenize("die Häuser sind nicht am Hafen"))
    assert set(tokenize("das Haus ist nicht am Hafen")) & set(tokenize("Haus"))


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("Where did we put the port of the service?", ["put", "port", "servic"]),
        ("¿Cuál es el puerto del servicio?", ["puerto", "servicio", "puert", "servici"]),
        ("什么端口", ["么端", "端口"]),
        ("who is he?", ["who", "is", "he"]),
        ("", []),
    ],
)
def test_a_question_is_asked_without_function_words(question: str, tokens: list[str]) -> None:
    assert question_tokens(question) == tokens


@given(
    st.lists(st.text("abc ", max_size=12), min_size=1, max_size=12),
    st.text("abc ", max_size=8),
    st.integers(0, 2**12 - 1),
)
def test_bm25_scores_a_scope_as_an_index_of_its_own(
    texts: list[str], query: str, scope: int
) -> None:
    visible = np.array([bool(scope >> i & 1) for i in range(len(texts))])
    scores = bm25(build_postings(texts), tokenize(query), visible, k1=0.9, b=0.4).scores
    seen = [tokenize(text) for text, shown in zip(texts, visible, strict=True) if shown]
    expected = np.zeros(len(texts))
    if any(seen) and tokenize(query):
        oracle = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
        oracle.index(seen, show_progress=False)
        expected[visible] = oracle.get_scores(tokenize(query))
    assert scores == pytest.approx(expected, abs=1e-5)


def test_what_no_fact_holds_adds_to_the_most_that_could_be_had() -> None:
    postings = build_postings(["a blue port"])
    visible = np.ones(1, dtype=bool)
    known = bm25(postings, ["blue"], visible, k1=0.9, b=0.4)
    asked = bm25(postings, ["blue", "sourdough"], visible, k1=0.9, b=0.4)
    assert asked.scores == pytest.approx(known.scores)
    assert asked.most == pytest.approx(known.most + math.log(4))


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("What did she do on 7 May 2023?", [NamedDate(2023, 5, 7)]),
        ("the 3rd of June, 2023", [NamedDate(2023, 6, 3)]),
        ("on August 14th", [NamedDate(0, 8, 14)]),
        ("in March 2024 and in June", [NamedDate(2024, 3), NamedDate(0, 6)]),
        ("2024-02-29, 2024/3/1, 2024-05", [*map(NamedDate, [2024] * 3, [2, 3, 5], [29, 1, 0])]),
        ("am 3. März 2024", [NamedDate(2024, 3, 3)]),
        ("el 4 de enero de 2025", [NamedDate(2025, 1, 4)]),
        ("2023年5月7日 / 5月", [NamedDate(2023, 5, 7), NamedDate(0, 5)]),
        ("2023년 5월 7일", [NamedDate(2023, 5, 7)]),
        ("since 2022", [NamedDate(2022)]),
        ("May I ask what may march?", []),
        ("port 20231 of host 10.2023.4.5, v2023.1", []),
        ("", []),
    ],
)
def test_named_dates(text: str, dates: list[NamedDate]) -> None:
    assert named_dates(text) == dates


def test_a_day_that_is_asked_for_lifts_what_was_said_on_it() -> None:
    rows = apart(fact("a", "We ran far", 1), fact("b", "We ran far", 7), fact("c", "Red door", 7))
    store = Store.from_rows(rows)
    query = Query("how far on 7 March 2026")
    assert ids(search(store, query, replace(WORDS_ONLY, dates=True))) == ["b", "c", "a"]
    hit = search(store, query, replace(WORDS_ONLY, dates=True))[0]
    assert set(hit.parts) == {"bm25", "dates", "raw"}
    assert ids(search(store, query, WORDS_ONLY)) == ["b", "a"]


def test_a_fact_is_found_by_what_was_said_before_it() -> None:
    rows = [
        fact("q", "Which day suits the dentist?", 1),
        fact("a", "Tuesday", 2),
        fact("x", "Tuesday", 3, source_session_id="another"),
        fact("y", "Tuesday", 3, namespace="default:agent:z", agent_id="z"),
    ]
    store = Store.from_rows(rows)
    assert ids(search(store, Query("dentist day"))) == ["q", "a"]
    assert ids(search(store, Query("dentist day"), WORDS_ONLY)) == ["q"]
    part = search(store, Query("dentist day"))[1].parts
    assert part["bm25"] == 0 < part["neighbours"]


def test_a_neighbour_that_may_not_be_seen_gives_nothing() -> None:
    rows = [
        fact("q", "Which day suits the dentist?", 1, project_key="git.example/other"),
        fact("a", "Tuesday", 2, project_key="git.example/shop"),
    ]
    store = Store.from_rows(rows)
    assert search(store, Query("dentist", project="git.example/shop")) == []


def test_equal_scores_stand_newest_first_then_in_their_order() -> None:
    rows = apart(
        *(fact(name, "The blue port", day) for name, day in zip("abcd", (2, 3, 3, 1), strict=True)),
        fact("e", "The blue port", t_valid=None),
    )
    store = Store.from_rows(rows)
    assert ids(search(store, Query("port"))) == ["b", "c", "a", "d", "e"]
    assert ids(search(store, Query("port"), Settings(limit=2))) == ["b", "c"]
    many = [fact(f"{i:04}", "port", 1 + i % 28) for i in range(3000)]
    whole = ids(search(Store.from_rows(apart(*many)), Query("port"), Settings(limit=None)))
    assert whole == [one["fact_id"] for one in sorted(many, key=lambda one: -one["t_valid"].day)]


def test_recency_lifts_the_newer_of_two_and_never_asks_the_clock() -> None:
    rows = apart(
        fact("old", "The blue port", t_valid=datetime(2020, 1, 1)),
        fact("new", "The blue port is red now", t_valid=datetime(2026, 1, 1)),
    )
    store = Store.from_rows(rows)
    assert ids(search(store, Query("blue port"))) == ["old", "new"]
    recent = replace(DEFAULT, recency=True, recency_weight=0.5)
    hits = search(store, Query("blue port"), recent)
    assert ids(hits) == ["new", "old"]
    assert hits[0].parts["recency"] == 1.0
    earlier = search(store, Query("blue port", as_of=datetime(2020, 1, 1)), recent)
    assert [(hit.fact_id, hit.parts["recency"]) for hit in earlier] == [("old", 1.0)]


@pytest.mark.parametrize(
    ("near", "groups"),
    [
        ([], [-1, -1, -1, -1]),
        ([("a", "b", 0.9, [])], [0, 0, -1, -1]),
        ([("a", "b", 0.9, ["number"])], [-1, -1, -1, -1]),
        ([("a", "b", 0.9, []), ("b", "c", 0.8, []), ("c", "d", 0.7, [])], [0, 0, 0, 0]),
        # a and c differ in a number: what is like both joins the one that it is more like.
        ([("a", "b", 0.9, []), ("b", "c", 0.8, []), ("a", "c", 0.9, ["number"])], [0, 0, -1, -1]),
        ([("a", "b", 0.7, []), ("b", "c", 0.8, []), ("a", "c", 0.9, ["date"])], [-1, 1, 1, -1]),
        ([("a", "gone", 0.9, [])], [-1, -1, -1, -1]),
    ],
)
def test_slot_groups(near: list[tuple[str, str, float, list[str]]], groups: list[int]) -> None:
    assert slot_groups(pl.Series(list("abcd")), pairs(*near)).tolist() == groups


def test_near_duplicates_take_one_slot_and_none_is_removed() -> None:
    rows = apart(
        fact("old", "The office is in Lyon", 1),
        fact("new", "The office is now in Lyon, near the station", 5),
        fact("six", "The office has 6 rooms", 2),
        fact("nine", "The office has 9 rooms", 3),
    )
    near = pairs(("old", "new", 0.7, []), ("nine", "six", 0.9, ["number"]))
    store = Store.from_rows(rows, near)
    asked = Query("where is the office in Lyon")
    assert ids(search(store, asked, replace(DEFAULT, slots=False))) == ["old", "new", "nine", "six"]
    hits = search(store, asked)
    assert ids(hits) == ["new", "nine", "six"]
    assert hits[0].stands_for == ("old",)
    # Where the newer one may not be seen, the older one stands for itself.
    then = search(store, replace(asked, as_of=datetime(2026, 3, 2)))
    assert [(hit.fact_id, hit.stands_for) for hit in then] == [("old", ()), ("six", ())]


@pytest.mark.parametrize(
    ("rules", "relevances", "kept"),
    [
        (AUTOMATIC, [0.95, 0.7, 0.62, 0.55], [0, 1, 2]),
        (EXPLICIT, [0.95, 0.7, 0.5, 0.49, None], [0, 1, 2]),
        (Rules(0.1), [0.3, 0.9, 0.14], [1]),
        (Rules(0.1), [None, 0.9], [1]),
        (Rules(0.0), [0.05], [0]),
        (Rules(0.0), [0.0, 0.0], [0, 1]),
        (Rules(0.1), [], []),
    ],
)
def test_rules_cut_below_the_floor_and_below_half_of_the_best(
    rules: Rules, relevances: list[float | None], kept: list[int]
) -> None:
    assert rules.kept(relevances) == kept


@pytest.mark.parametrize(
    ("prompt", "is_new", "either", "both"),
    [
        ("hello there", True, True, True),
        ("hello there", False, True, False),
        ("p" * 100, True, True, False),
        ("p" * 100, False, False, False),
        ("p" * 99, True, True, True),
        ("👍" * 50, True, True, False),
    ],
)
def test_broad_recall_is_for_short_or_new_prompts(
    prompt: str, is_new: bool, either: bool, both: bool
) -> None:
    assert AUTOMATIC.is_broad(prompt, is_new_session=is_new) is either
    strict = replace(AUTOMATIC, broad_needs_both=True)
    assert strict.is_broad(prompt, is_new_session=is_new) is both
    assert not EXPLICIT.is_broad(prompt, is_new_session=is_new)


def test_broad_recall_adds_what_matters_and_is_cut_like_the_rest() -> None:
    rows = apart(
        fact("a", "The office is in Lyon", 1, salience=3),
        fact("b", "Nobody deploys on Fridays", 2, salience=9),
        fact("c", "Tea, not coffee", 3, salience=6),
        fact("d", "The cat is old", 4, salience=4),
    )
    store = Store.from_rows(rows)
    told = search(store, Query("where is the office in Lyon?"), Settings(rules=AUTOMATIC))
    assert [(hit.fact_id, hit.is_broad) for hit in told] == [
        ("a", False),
        ("b", True),
        ("c", True),
    ]
    asked = search(store, Query("where is the office in Lyon?"), Settings(rules=EXPLICIT))
    assert ids(asked) == ["a"]
    assert search(store, Query("hey"), Settings(rules=AUTOMATIC)) == []
    unrelated = Query("a recipe for sourdough bread with an office")
    assert search(store, unrelated, Settings(rules=EXPLICIT)) == []


def test_a_subagent_reads_its_parents_memory_and_a_machine_reads_none() -> None:
    rows = apart(
        fact("mine", "The blue port"),
        fact("theirs", "The blue port", agent_id="researcher", namespace="x"),
    )
    store = Store.from_rows(rows)

    def asked(key: str | None, trigger: str | None = None) -> list[str]:
        return ids(search(store, Query("port", session_key=key, trigger=trigger)))

    assert asked("agent:main:subagent:7") == ["mine"]
    assert asked("agent:researcher:subagent:7") == ["theirs"]
    assert asked("agent:main:main", "cron") == asked("agent:main:cron:1") == []
    assert ids(search(store, Query("port", everywhere=True))) == ["mine", "theirs"]


def test_a_worktree_sees_its_own_facts_and_those_of_none() -> None:
    rows = apart(*(fact(name, "port", worktree=tree) for name, tree in [("a", "x"), ("b", "y")]))
    store = Store.from_rows([*rows, *apart(fact("c", "port"))])
    assert ids(search(store, Query("port", worktree="x"))) == ["a", "c"]
    assert ids(search(store, Query("port"))) == ["a", "b", "c"]


def test_calibrate_gives_the_share_of_right_results() -> None:
    chance = np.random.default_rng(7)
    raw = chance.random(20_000)
    right = chance.random(20_000) < 1 / (1 + np.exp(-12 * (raw - 0.4)))
    scale = calibrate(raw.tolist(), right.tolist())
    assert scale.midpoint == pytest.approx(0.4, abs=0.02)
    assert scale.steepness == pytest.approx(12, rel=0.05)
    assert scale.relevance(0.4) == pytest.approx(0.5, abs=0.05)
    assert Scale(0.5, 1e9).relevance(-1e9) == pytest.approx(0, abs=1e-9)
    assert calibrate([0.1, 0.2, 0.8, 0.9], [False, False, True, True]).steepness > 0
    with pytest.raises(ValueError, match="right"):
        calibrate([0.1, 0.2], [True, True])
    with pytest.raises(ValueError, match="rise"):
        calibrate([0.1, 0.9], [True, False])


HOSTILE = [
    "",
    " \t\n",
    "?!…—",
    "👍🏽👩‍👩‍👧",
    "\x00\x01\x1b[31m port",
    "\ud800 port",
    "port" * 250_000,
    "port " * 200_000,
    "مرحبا بالعالم port",
    "\u202eport\u202c",
    "' or 1=1; drop table facts --",
    "2023-99-99 31 February 0000",
    "\u0301" * 5000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("encoder", [None, "wordllama"])
def test_hostile_questions_are_answered_alike_each_time(text: str, encoder: str | None) -> None:
    held = text[:9000].encode("utf-8", "replace").decode()
    rows = [fact("a", "The blue port"), fact("b", ""), fact("c", held), fact("d", "👍")]
    store = Store.from_rows(rows, encoder=encoder)
    for rules in (None, AUTOMATIC):
        hits = search(store, Query(text), Settings(rules=rules))
        assert hits == search(store, Query(text), Settings(rules=rules))
        assert all(0 <= hit.relevance <= 1 and math.isfinite(hit.score) for hit in hits)
    if encoder is None and text.endswith(" port"):
        assert ids(search(store, Query(text)))[0] in "ac"


def test_plain_rows_need_an_id_and_a_text() -> None:
    store = Store.from_rows([{"fact_id": "a", "text": "port"}, {"fact_id": "b", "text": None}])
    assert len(store) == 2
    assert ids(search(store, Query("port"))) == ["a"]
    assert search(Store.from_rows([]), Query("port")) == []
