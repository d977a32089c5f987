"""The tokenizer, BM25 search, and recall over a build."""

import math
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from handmade_build import fact, write_build
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.recall.answers import recall
from tamis.recall.index import build_index, search
from tamis.recall.tokens import tokenize
from tamis.session_keys import is_non_interactive, named_agent


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Port, 9090!", ["the", "port", "9090"]),
        ("flags_file.toml", ["flag", "file", "toml"]),
        ("Straße CAFE\u0301", ["strass", "cafe"]),
        ("ＡＰＩ", ["api"]),
        ("배포는 화요일", ["배포", "포는", "화요", "요일"]),
        ("订单编号", ["订单", "单编", "编号"]),
        ("네", ["네"]),
        ("API서버 v2", ["api", "v2", "서버"]),
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
    assert ranked["fact_id"].to_list() == ["a", "b", "c"]
    assert ranked["rank"].to_list() == [1, 2, 3]
    assert (ranked["score"] > 0).all()
    assert ranked.columns[:4] == ["rank", "score", "fact_id", "text"]


def test_recall_in_a_project_sees_that_project_and_the_unknown_one(published: Path) -> None:
    assert found(published, project="git.example/shop/api") == ["b", "c"]


def test_recall_never_mixes_namespaces(published: Path) -> None:
    assert found(published, session_key="agent:researcher:main") == ["e"]
    assert found(published, namespace="default:agent:researcher") == ["e"]
    assert found(published, session_key="agent:main:subagent:7") == ["a", "b", "c"]
    assert found(published, namespace="somebody else") == []


def test_recall_as_of_a_time_sees_what_held_then(published: Path) -> None:
    assert found(published, as_of=datetime(2026, 3, 1)) == ["d", "c"]
    assert found(published, as_of=datetime(2026, 3, 5)) == ["a", "b", "c"]


def test_recall_obeys_its_limit(published: Path) -> None:
    assert found(published, limit=2) == ["a", "b"]


def test_recall_gives_machines_nothing(published: Path) -> None:
    nothing = recall(published, "blue port", trigger="cron")
    assert nothing.is_empty()
    assert nothing.schema == recall(published, "blue port").schema
    assert found(published, session_key="agent:main:main:heartbeat") == []


def test_recall_of_a_missing_build_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match="tamis run") as raised:
        recall(tmp_path, "port")
    assert raised.value.exit_code == ENVIRONMENT


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
