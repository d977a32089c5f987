"""The tokenizer, BM25 search, the measures, recall over a build, and the evaluation."""

import json
import math
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from handmade_build import fact, rejection, source, write_build
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.publish import write_views
from tamis.recall.evaluate import Question, evaluate, load_questions
from tamis.recall.index import build_index, recall, search, tokenize
from tamis.recall.metrics import macro_mean, ndcg_at, recall_at, slot_waste_at
from tamis.recall.once import search_once
from tamis.session_keys import is_non_interactive, named_agent


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Port, 9090!", ["the", "port", "9090"]),
        ("flags_file.toml", ["flags", "file", "toml"]),
        ("Straße CAFE\u0301", ["strasse", "café"]),
        ("ＡＰＩ", ["api"]),
        ("배포는 화요일", ["배포", "포는", "화요", "요일"]),
        ("订单编号", ["订单", "单编", "编号"]),
        ("네", ["네"]),
        ("API서버 v2", ["api", "서버", "v2"]),
        ("カート", ["カー", "ート"]),
        ("\u1107\u1162\u1111\u1169", ["배포"]),
        ("¿…? 👍 \x00", []),
    ],
)
def test_tokenize(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_search_ranks_by_score_then_position_and_drops_what_shares_no_token() -> None:
    index = build_index(["a port in a longer text", "", "the port", "nothing here", "the port"])
    hits = search(index, "port", 10)
    assert [position for position, _ in hits] == [2, 4, 0]
    assert hits[0][1] == hits[1][1] > hits[2][1] > 0
    assert search(index, "port", 2) == hits[:2]


def test_search_scores_are_those_of_lucene() -> None:
    # idf = ln(1 + (2 - 1 + .5) / (1 + .5)) = ln 2; both texts have the average length, so the
    # term's share is 1 / (1 + k1).
    hits = search(build_index(["blue port", "red door"]), "port", 5)
    assert hits == [(0, pytest.approx(math.log(2) / 2.5, rel=1e-6))]


@pytest.mark.parametrize("texts", [[], [""], ["…", "👍"]])
def test_search_of_a_store_without_words_finds_nothing(texts: list[str]) -> None:
    assert search(build_index(texts), "port", 5) == []


def test_search_without_words_or_limit_finds_nothing() -> None:
    index = build_index(["port"])
    assert search(index, "?!", 5) == search(index, "door", 5) == search(index, "port", 0) == []


@given(st.lists(st.text(max_size=30), max_size=12), st.text(max_size=30))
def test_every_hit_shares_a_token_and_every_sharer_is_a_hit(texts: list[str], query: str) -> None:
    wanted = set(tokenize(query))
    sharing = [i for i, text in enumerate(texts) if wanted & set(tokenize(text))]
    assert sorted(position for position, _ in search(build_index(texts), query, 12)) == sharing


WORDS = st.sampled_from(
    [
        *("port", "PORT", "ports", "x_port", "port_", "7443", "a.b", "(a", "Straße", "STRASSE"),
        *("İx", "ﬁn", "서버배포", "订单", "订", "—", "\x00", "", "e\u0301"),
    ]
)
SENTENCES = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=20)


@given(st.lists(SENTENCES, max_size=20), SENTENCES, st.integers(0, 20))
def test_one_query_is_ranked_without_an_index_as_with_one(
    texts: list[str], query: str, limit: int
) -> None:
    # A store holds no lone surrogates.
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    once = search_once(pl.Series(texts, dtype=pl.String), query, limit)
    assert once == search(build_index(texts), query, limit)


@pytest.mark.parametrize(
    ("ranked", "answers", "k", "expected"),
    [
        (["a", "x", "b"], ["a", "b"], 5, 1.0),
        (["a", "x", "b"], ["a", "b"], 2, 0.5),
        (["a", "a", "a"], ["a", "b"], 5, 0.5),
        (["a", "b"], ["a", "a", "b"], 1, 0.5),
        ([], ["a"], 5, 0.0),
    ],
)
def test_recall_at(ranked: list[str], answers: list[str], k: int, expected: float) -> None:
    assert recall_at(ranked, answers, k) == expected


@pytest.mark.parametrize(
    ("ranked", "answers", "k", "expected"),
    [
        (["a"], ["a"], 10, 1.0),
        # 1 / log2(3)
        (["x", "a"], ["a"], 10, 0.6309297536),
        # (1 + 1/2) / (1 + 1/log2(3))
        (["a", "x", "b"], ["a", "b"], 10, 0.9197207891),
        # the copy in slot two gains nothing, and pushes b down as x did
        (["a", "a", "b"], ["a", "b"], 10, 0.9197207891),
        # the best order of three answers holds two of them in two slots
        (["a", "b", "c"], ["a", "b", "c"], 2, 1.0),
        (["x", "y"], ["a"], 10, 0.0),
        (["x", "a"], ["a"], 1, 0.0),
    ],
)
def test_ndcg_at(ranked: list[str], answers: list[str], k: int, expected: float) -> None:
    assert ndcg_at(ranked, answers, k) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("ranked", "refused", "k", "expected"),
    [
        (["a", "b", "c", "d"], [False] * 4, 10, 0.0),
        (["a", "b", "b", "b"], [False] * 4, 10, 0.5),
        (["a", "noise", "b", "c"], [False, True, False, False], 10, 0.25),
        # refused and repeated is still one slot
        (["noise", "noise"], [True, True], 10, 1.0),
        # a refused copy of the answer tells the reader the answer, once
        (["a", "a"], [True, False], 10, 0.5),
        (["b", "c", "b"], [False] * 3, 2, 0.0),
        ([], [], 10, 0.0),
    ],
)
def test_slot_waste_at(ranked: list[str], refused: list[bool], k: int, expected: float) -> None:
    assert slot_waste_at(ranked, refused, ["a"], k) == expected


def test_measures_refuse_what_has_no_meaning() -> None:
    with pytest.raises(ValueError, match="at least one answer"):
        recall_at(["a"], [], 5)
    with pytest.raises(ValueError, match="at least one answer"):
        ndcg_at(["a"], [], 5)
    with pytest.raises(ValueError, match="refused flag"):
        slot_waste_at(["a"], [], ["a"], 5)


def test_macro_mean_counts_every_question_once() -> None:
    assert macro_mean([1.0, 0.5, 0.0]) == 0.5
    assert macro_mean([]) == 0.0


@pytest.mark.parametrize(
    ("trigger", "session_key", "expected"),
    [
        ("Schedule", None, True),
        (None, "agent:main:cron:job-1:run:r1", True),
        (None, "agent:main:main:heartbeat", True),
        (None, "AGENT:main:CRON:x", True),
        ("telegram", "agent:main:telegram:direct:42", False),
        (None, "agent:main:subagent:7", False),
        (None, None, False),
    ],
)
def test_is_non_interactive(trigger: str | None, session_key: str | None, expected: bool) -> None:
    assert is_non_interactive(trigger, session_key) is expected


@pytest.mark.parametrize(
    ("session_key", "agent"),
    [
        ("agent:Researcher:main", "researcher"),
        ("agent:researcher:subagent:7", "researcher"),
        ("agent:main:main", None),
        ("agent::x", None),
        ("agent:researcher", None),
        ("telegram:42", None),
        (None, None),
    ],
)
def test_named_agent(session_key: str | None, agent: str | None) -> None:
    assert named_agent(session_key) == agent


@pytest.fixture
def published(tmp_path: Path) -> Path:
    agent = {"agent_id": "researcher", "namespace": "default:agent:researcher"}
    facts = [
        fact("b", "The blue port is 1", 2, project_key="git.example/shop/api"),
        fact("a", "The blue port is 2", 3, project_key="git.example/hobby/api"),
        fact("c", "The blue port is 3", 1),
        fact("d", "The blue port is 4", 1, is_current=False, t_invalid=datetime(2026, 3, 5)),
        fact("e", "The blue port is 5", **agent),
    ]
    return write_build(tmp_path, facts, [], [])


def found(published: Path, **arguments: Any) -> list[str]:
    return recall(published, "blue port", **arguments)["fact_id"].to_list()


def test_recall_ranks_the_users_current_facts(published: Path) -> None:
    ranked = recall(published, "Where is the blue port?")
    assert ranked["fact_id"].to_list() == ["c", "b", "a"]
    assert ranked["rank"].to_list() == [1, 2, 3]
    assert (ranked["score"] > 0).all()
    assert ranked.columns[:4] == ["rank", "score", "fact_id", "text"]


def test_recall_in_a_project_sees_that_project_and_the_unknown_one(published: Path) -> None:
    assert found(published, project="git.example/shop/api") == ["c", "b"]


def test_recall_never_mixes_namespaces(published: Path) -> None:
    assert found(published, session_key="agent:researcher:main") == ["e"]
    assert found(published, namespace="default:agent:researcher") == ["e"]
    assert found(published, session_key="agent:main:subagent:7") == ["c", "b", "a"]
    assert found(published, namespace="somebody else") == []


def test_recall_as_of_a_time_sees_what_held_then(published: Path) -> None:
    assert found(published, as_of=datetime(2026, 3, 1)) == ["c", "d"]
    assert found(published, as_of=datetime(2026, 3, 5)) == ["c", "b", "a"]


def test_both_times_are_asked_alike_by_recall_and_in_sql(tmp_path: Path) -> None:
    ended = {"is_current": False, "expired_at": datetime(2026, 3, 8)}
    folder = write_build(
        tmp_path,
        [
            fact("stands", "The blue port is 1"),
            fact("undated", "The blue port is 2", t_valid=None),
            fact("closed", "The blue port is 3", t_invalid=datetime(2026, 3, 5), **ended),
            fact("ended", "The blue port is 4", **ended),
            fact("learned", "The blue port is 5", recorded_at=datetime(2026, 3, 9)),
        ],
        [],
        [],
    )
    write_views(folder)
    expected = {
        (None, None): {"stands", "undated", "learned"},
        (4, None): {"stands", "undated", "closed", "learned"},
        (5, None): {"stands", "undated", "learned"},
        (None, 7): {"stands", "undated", "closed", "ended"},
        (6, 7): {"stands", "undated", "closed", "ended"},
        (6, 8): {"stands", "undated"},
    }
    connection = duckdb.connect(str(folder / "published.duckdb"), read_only=True)
    for days, names in expected.items():
        held, known = (day and datetime(2026, 3, day) for day in days)
        assert set(found(folder, as_of=held, known_at=known)) == names, days
        rows = connection.execute(
            "select fact_id, is_current from facts_as_of(held_at := ?, known_at := ?)",
            [held, known],
        ).fetchall()
        assert {fact_id for fact_id, _ in rows} == names, days
    assert connection.execute("select count(*) from facts_as_of()").fetchone() == (3,)


def test_recall_obeys_its_limit(published: Path) -> None:
    assert found(published, limit=2) == ["c", "b"]


def test_recall_gives_machines_nothing(published: Path) -> None:
    nothing = recall(published, "blue port", trigger="cron")
    assert nothing.is_empty()
    assert nothing.schema == recall(published, "blue port").schema
    assert found(published, session_key="agent:main:main:heartbeat") == []


def test_recall_of_a_missing_build_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match="tamis run") as raised:
        recall(tmp_path, "port")
    assert raised.value.exit_code == ENVIRONMENT


def write_questions(path: Path, *questions: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in questions), encoding="utf-8")
    return path


def test_evaluate_measures_both_arms(tmp_path: Path) -> None:
    asked, answer = "blue port?", "The blue port is 1"
    facts = [fact("q", asked), fact("a", answer, 2), fact("z", "A red door", 3)]
    sources = [source("q0", "q"), source("a0", "a"), source("z0", "z")]
    sources += [source(f"q{i}", "q", "repeat") for i in range(1, 6)]
    noise = "port list: one, two, three, four, five, six, seven, eight, nine, ten"
    published = write_build(
        tmp_path, facts, sources, [rejection("n1", noise), rejection("n2", None)]
    )
    questions = write_questions(
        tmp_path / "questions.jsonl",
        {"question": "which blue port", "project": None, "expected": [answer]},
        {"question": "red door", "project": "git.example/other", "expected": ["A red door"]},
    )

    result = evaluate(published, questions)

    # Before: six copies of the question fill slots one to six, the answer is seventh (gain
    # 1 / log2(8)), the tool's list is eighth: five repeats and one refused text are wasted.
    # After: the question stands first, its answer second (gain 1 / log2(3)).
    assert result.questions.row(0, named=True) == {
        "question": "which blue port",
        "project": None,
        "answers": 1,
        "before_recall_at_5": 0.0,
        "after_recall_at_5": 1.0,
        "before_ndcg_at_10": pytest.approx(1 / 3),
        "after_ndcg_at_10": pytest.approx(0.6309297536),
        "before_slot_waste_at_10": 0.75,
        "after_slot_waste_at_10": 0.0,
    }
    assert result.summary.rows(named=True) == [
        {
            "arm": "before",
            "documents": 10,
            "recall_at_5": 0.5,
            "ndcg_at_10": pytest.approx(2 / 3),
            "slot_waste_at_10": 0.375,
        },
        {
            "arm": "after",
            "documents": 3,
            "recall_at_5": 1.0,
            "ndcg_at_10": pytest.approx(0.8154648768),
            "slot_waste_at_10": 0.0,
        },
    ]
    assert result.evidence_lost == []


def test_evaluate_asks_only_the_named_project_and_the_unknown_one(tmp_path: Path) -> None:
    facts = [fact("a", "The port is 1", project_key="git.example/hobby/api")]
    sources = [source("a0", "a", project_key="git.example/hobby/api")]
    published = write_build(tmp_path, facts, sources, [])
    one = {"question": "port", "expected": ["The port is 1"]}
    questions = write_questions(
        tmp_path / "questions.jsonl",
        one | {"project": "git.example/hobby/api"},
        one | {"project": "git.example/shop/api"},
    )
    rows = evaluate(published, questions).questions
    assert rows["before_recall_at_5"].to_list() == [1.0, 0.0]
    assert rows["after_recall_at_5"].to_list() == [1.0, 0.0]


def test_evaluate_names_lost_evidence(tmp_path: Path) -> None:
    closed = fact("a", "The port is 1", is_current=False)
    published = write_build(tmp_path, [closed], [source("a0", "a")], [rejection("n", "Port 2")])
    questions = write_questions(
        tmp_path / "questions.jsonl",
        {"question": "port", "project": None, "expected": ["The port is 1", "Port 2"]},
    )
    assert evaluate(published, questions).evidence_lost == ["The port is 1", "Port 2"]


def test_evaluate_of_an_empty_build_and_no_questions(tmp_path: Path) -> None:
    published = write_build(tmp_path, [], [], [])
    questions = write_questions(
        tmp_path / "questions.jsonl", {"question": "port", "project": None, "expected": ["x"]}
    )
    result = evaluate(published, questions)
    assert result.summary["documents"].to_list() == [0, 0]
    assert result.summary["recall_at_5"].to_list() == [0.0, 0.0]
    questions.write_text("\n")
    assert evaluate(published, questions).questions.is_empty()


def test_evaluate_of_a_missing_build_says_what_to_do(tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "questions.jsonl")
    with pytest.raises(TamisError, match="tamis run") as raised:
        evaluate(tmp_path, questions)
    assert raised.value.exit_code == ENVIRONMENT


def test_load_questions(tmp_path: Path) -> None:
    path = write_questions(
        tmp_path / "questions.jsonl", {"question": "q", "project": "p", "expected": ["a", "b"]}
    )
    assert load_questions(path) == [Question("q", "p", ("a", "b"))]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '"text"',
        "{}",
        '{"question": " ", "expected": ["a"]}',
        '{"question": "q", "expected": []}',
        '{"question": "q", "expected": "a"}',
        '{"question": "q", "expected": [""]}',
        '{"question": "q", "expected": ["a"], "project": 7}',
    ],
)
def test_load_questions_names_the_line_that_is_none(tmp_path: Path, line: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "q", "expected": ["a"]}\n' + line + "\n")
    with pytest.raises(TamisError, match=r"questions\.jsonl:2 is no question") as raised:
        load_questions(path)
    assert raised.value.exit_code == USAGE


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_load_questions_of_an_unreadable_file(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "questions.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TamisError, match="can't read the questions"):
        load_questions(path)


def test_damaged_parquet_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "facts.parquet").write_bytes(b"no parquet")
    with pytest.raises(TamisError, match=r"facts\.parquet"):
        recall(tmp_path, "port")
    pl.DataFrame({"text": ["x"]}).write_parquet(tmp_path / "facts.parquet")
    with pytest.raises(TamisError, match=r"facts\.parquet"):
        recall(tmp_path, "port")


def test_a_project_is_found_by_any_name_that_it_alone_bears(published: Path) -> None:
    shop, hobby = "git.example/shop/api", "git.example/hobby/api"
    rows = [
        {"namespace": "default", "project_key": shop, "names": ["api", "proj-shop", "shop"]},
        {"namespace": "default", "project_key": hobby, "names": ["api", "hobby"]},
        {"namespace": "default:agent:researcher", "project_key": "x/shop", "names": ["shop"]},
    ]
    pl.DataFrame(rows).write_parquet(published / "projects.parquet")

    def found(project: str) -> set[str]:
        return set(recall(published, "blue port", project=project)["fact_id"])

    assert found("shop") == found("proj-shop") == found(shop) == {"b", "c"}
    assert found("hobby") == {"a", "c"}
    assert found("nobody") == {"c"}
    with pytest.raises(TamisError, match="api names 2 projects") as raised:
        found("api")
    assert raised.value.exit_code == USAGE
    assert shop in str(raised.value)
    assert hobby in str(raised.value)
