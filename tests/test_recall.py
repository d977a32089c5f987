"""The tokenizer, BM25 search, and recall over a build."""

from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from handmade_build import fact, write_build

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.publish import write_views
from tamis.recall.answers import recall
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
