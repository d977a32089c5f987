"""What an agent is given: accepted memory within a budget, to whom it belongs, and nothing else."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from handmade_memory import BUILD_ID, SHOP, SOWER, fact, garden, session, source, write_memory
from hypothesis import given
from hypothesis import strategies as st
from memory_git_histories import changeset
from test_macros import over

from tamis.context import Context, ContextError, ContextRequest, assemble
from tamis.context.fitting import fitted
from tamis.context.rendering import TAG, estimated_tokens, item, preamble, rendered
from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import Settings
from tamis.memory_git.records import SHARED_MAIN, Repository

NOW = datetime(2026, 3, 7)


def asked(home: Path, project: str, settings: Settings | None = None, **request: Any) -> Context:
    """What is answered, nothing stored."""
    question = ContextRequest(project, **request)
    return assemble(home, settings or Settings(), question, now=NOW, stores=False)


def refused(home: Path, project: str, **request: Any) -> tuple[str, str]:
    """How a question is refused."""
    with pytest.raises(ContextError) as raised:
        asked(home, project, **request)
    assert raised.value.exit_code == USAGE
    assert "\n" not in str(raised.value)
    return raised.value.kind, str(raised.value)


def contents(context: Context) -> list[str]:
    return [memory["content"] for memory in context.memories]


@pytest.fixture
def shop(home: Path) -> Path:
    """A project without Memory Git, and a named agent's in the same place."""
    agent = {"namespace": "default:agent:scout", "agent_id": "scout"}
    write_memory(
        home,
        [
            fact("f1", "The service listens on port 7443", t_valid=datetime(2026, 3, 1)),
            fact("f2", "We deploy on Tuesdays", t_valid=datetime(2026, 3, 2)),
            fact("f3", "Done: the port is open", salience=4, t_valid=datetime(2026, 3, 3)),
            fact("f4", "The port was 80", is_current=False),
            fact("f5", "The week brought a new port", fact_type="summary", salience=3),
            fact("f6", "Another project", project_key="git.example/hobby/site"),
            fact("f7", "The scout's port is 9", **agent),
        ],
        sources=[
            source("e1", "f1", 1),
            source("e2", "f2", 2),
            source("e3", "f3", 3, role="assistant"),
            source("e4", "f4", 4),
            source("e5", "f5", 5, event_kind="summary"),
            source("e6", "f6", 6, project_key="git.example/hobby/site"),
            source("e7", "f7", 7, namespace="default:agent:scout"),
        ],
        sessions=[
            session("ses-1", "agent:main:main"),
            session("ses-0", "agent:main:main", last_seen_at=datetime(2026, 2, 1)),
            session("ses-2", "agent:main:cron:nightly"),
            session("ses-3", "agent:scout:main", namespace="default:agent:scout", agent_id="scout"),
            session("ses-4", "agent:main:subagent:7", is_subagent=True),
            session("ses-5", "agent:main:main", namespace="other"),
            session("ses-6", "agent:main:main", namespace="default:agent:scout", agent_id="scout"),
        ],
    )
    return home


@pytest.fixture
def plot(home: Path) -> Path:
    """A project with a Memory Git history."""
    write_memory(home, histories=[garden()])
    return home


def test_a_history_shows_what_its_ref_accepted_and_withholds_what_is_in_dispute(
    plot: Path,
) -> None:
    found = asked(plot, "garden")
    assert contents(found) == [
        "Peas by the port wall",
        "비료는 삼월에 준다",
        "Water at six",
        "The shed is green",
    ]
    assert found.manifest is not None
    assert found.manifest["source"] == "memory_git"
    assert found.manifest["head_changeset_id"] == "merge"
    assert found.manifest["projection_version"] == "memory-context/v1"
    assert found.manifest["unresolved_conflicts"] == ["cf-1"]
    assert found.manifest["exclusion_reasons"] == {
        "mem:left:0": "withheld by unresolved conflict cf-1",
        "mem:right:0": "withheld by unresolved conflict cf-1",
    }
    assert "Beans" not in found.text
    assert "비료는 삼월에 준다" in found.text


def test_an_older_head_shows_what_was_accepted_then(plot: Path) -> None:
    assert contents(asked(plot, "garden", head="add", query="water")) == [
        "Water at six",
        "비료는 삼월에 준다",
        "The shed is green",
    ]
    assert contents(asked(plot, "garden", head="root")) == ["The shed is green"]


def test_a_project_without_a_history_has_its_current_facts(shop: Path) -> None:
    found = asked(shop, SHOP, query="Which port?")
    assert [memory["memory_id"] for memory in found.memories] == ["f3", "f1", "f5", "f2"]
    assert found.manifest is not None
    assert found.manifest["source"] == "facts"
    assert found.manifest["head_changeset_id"] == BUILD_ID
    assert found.manifest["inclusion_reasons"]["f2"] == "most salient current fact"
    unasked = asked(shop, "api")
    assert [memory["memory_id"] for memory in unasked.memories] == ["f2", "f1", "f3", "f5"]


def test_memory_comes_before_the_sessions_summary_and_that_before_its_last_events(
    shop: Path,
) -> None:
    found = asked(shop, SHOP, query="Tuesdays", limit=1, session_key="ses-1")
    assert [(one["kind"], one["id"]) for one in found.items] == [
        ("memory", "f2"),
        ("summary", "e5"),
        ("event", "e1"),
        ("event", "e3"),
    ]
    lines = [line for line in found.text.splitlines() if line.startswith("- ")]
    assert lines == [
        "- [user_statement] We deploy on Tuesdays",
        "- The week brought a new port",
        "- user: The service listens on port 7443",
        "- assistant: Done: the port is open",
    ]


def test_of_a_sessions_events_the_newest_few_are_told(home: Path) -> None:
    write_memory(
        home,
        [fact(f"f{number}", f"statement {number}", salience=number) for number in range(10)],
        sources=[source(f"e{number}", f"f{number}", number) for number in range(10)],
    )
    found = asked(home, SHOP, session_key="ses-1", limit=1)
    assert [one["id"] for one in found.items if one["kind"] == "event"] == [
        *("e4", "e5", "e6", "e7", "e8"),
    ]


def test_memory_that_a_history_withholds_does_not_come_back_as_an_event(home: Path) -> None:
    key = {"project_key": "garden"}
    texts = ["Beans face west", "Beans face east", "Past the root"]
    write_memory(
        home,
        [fact(f"f{number}", text, **key) for number, text in enumerate(texts)],
        sources=[
            source("e0", "f0", 0, **key, source_entity="changeset_ops"),
            source("e1", "f1", 1, **key, native_id="mem:right:0"),
            source("e2", "f2", 2, **key, native_id="evt-9"),
        ],
        histories=[garden()],
    )
    found = asked(home, "garden", session_key="ses-1")
    assert [one["id"] for one in found.items if one["kind"] == "event"] == ["e2"]


def test_a_key_and_a_canonical_id_are_one_session_and_the_id_is_told(shop: Path) -> None:
    by_key = asked(shop, SHOP, session_key=" agent:MAIN:main ")
    by_id = asked(shop, SHOP, session_key="ses-1")
    assert by_key.as_json() == by_id.as_json()
    assert by_key.manifest is not None
    assert by_key.manifest["session_id"] == "ses-1"
    unknown = asked(shop, SHOP, session_key="agent:main:new")
    assert unknown.manifest is not None
    assert unknown.manifest["session_id"] == "agent:main:new"


def test_a_named_agent_reads_its_own_memory_and_nobody_elses(shop: Path) -> None:
    for name in ("agent:scout:main", "ses-3", "agent:scout:subagent:9"):
        assert contents(asked(shop, SHOP, session_key=name)) == ["The scout's port is 9"]
    assert "scout" not in asked(shop, SHOP).text
    kind, told = refused(shop, SHOP, session_key="agent:stranger:main")
    assert kind == "unknown_project"
    assert "api" not in told.removeprefix(f"no project {SHOP}")
    assert refused(shop, SHOP, settings=Settings(user_id="other"))[0] == "unknown_project"


def test_a_caller_that_may_read_one_namespace_reaches_no_other_by_its_session(shop: Path) -> None:
    whole = contents(asked(shop, SHOP))
    for name in ("agent:scout:main", "ses-3", "ses-6", "agent:main:main", None):
        assert contents(asked(shop, SHOP, session_key=name, only_of=(None,))) == whole
        scouts = asked(shop, SHOP, session_key=name, only_of=("scout",))
        assert contents(scouts) == ["The scout's port is 9"]


def test_a_branch_is_its_owners(plot: Path) -> None:
    kind, told = refused(plot, "garden", ref=SOWER)
    assert (kind, SOWER in told.partition(":")[2]) == ("unknown_ref", False)
    assert refused(plot, "garden", ref=SOWER, session_key="agent:reaper:main") == (kind, told)
    missing = refused(plot, "garden", ref="refs/agents/nobody/main")
    assert missing == (kind, told.replace("sower", "nobody"))
    own = asked(plot, "garden", ref=SOWER, session_key="agent:sower:main")
    assert "Sower's own wish" in contents(own)
    assert "Sower's own wish" not in contents(asked(plot, "garden", session_key="agent:sower:main"))


def test_a_subagent_reads_its_parents_memory_and_is_told_that_it_is_somebody_else(
    shop: Path,
) -> None:
    named = Settings(user_name="Ada\nLovelace")
    parents = asked(shop, SHOP, named)
    for name in ("agent:main:subagent:42", "ses-4"):
        found = asked(shop, SHOP, named, session_key=name)
        assert contents(found) == contents(parents)
        assert "You are neither of them" in found.text
        assert "Ada Lovelace" in found.text
        assert found.manifest is not None
        assert found.manifest["is_subagent"]
    assert "Ada Lovelace" in parents.text
    assert "subagent" not in parents.text


@pytest.mark.parametrize(
    "who",
    [
        {"trigger": "cron"},
        {"trigger": "Heartbeat"},
        {"trigger": "automation"},
        {"trigger": "schedule"},
        {"session_key": "agent:main:cron:nightly"},
        {"session_key": "agent:main:main:heartbeat"},
        {"session_key": "ses-2"},
    ],
)
def test_a_machine_gets_nothing(shop: Path, who: dict[str, str]) -> None:
    question = ContextRequest(SHOP, **who)
    found = assemble(shop, Settings(), question, now=NOW, stores=True)
    assert found.as_json() == Context().as_json()
    assert found.text == ""
    assert not (shop / "state.sqlite").exists()


def test_an_unknown_project_is_refused_with_names_that_are_near(home: Path) -> None:
    write_memory(home, [fact("f1", "x")], histories=[garden()])
    assert refused(home, "Gardn") == (
        "unknown_project",
        "no project Gardn: did you mean garden?",
    )
    assert refused(home, "zzz") == ("unknown_project", "no project zzz")
    assert refused(home, " ")[0] == "bad_request"
    assert refused(home, "garden", limit=-1)[0] == "bad_request"


def test_a_short_name_of_two_projects_is_refused_with_their_keys(home: Path) -> None:
    write_memory(home, [fact("f1", "x"), fact("f2", "y", project_key="git.example/hobby/api")])
    kind, told = refused(home, "api")
    assert kind == "bad_request"
    assert SHOP in told
    assert "git.example/hobby/api" in told


def test_a_history_is_found_by_a_projects_key(home: Path) -> None:
    projects = [{"namespace": "default", "project_key": "git.example/g", "names": ["garden"]}]
    write_memory(home, projects=projects, histories=[garden()])
    assert asked(home, "git.example/g").as_json() == asked(home, "garden").as_json()


def test_heads_and_refs_that_a_project_does_not_have_are_refused(plot: Path) -> None:
    assert refused(plot, "garden", head="wish") == (
        "unreachable_head",
        f"head changeset wish is not reachable from ref {SHARED_MAIN}",
    )
    assert refused(plot, "garden", ref="refs/shared/other")[0] == "unknown_ref"


def test_a_history_without_a_ref_shows_nothing_and_its_facts_are_not_taken_for_it(
    home: Path,
) -> None:
    lost = Repository("garden", garden().changesets, {SOWER: "wish"})
    write_memory(home, [fact("f1", "A wish", project_key="garden")], histories=[lost])
    assert refused(home, "garden") == (
        "unknown_ref",
        f"no ref {SHARED_MAIN} in project garden: it has none",
    )
    assert refused(home, "garden", session_key="agent:reaper:main")[0] == "unknown_project"
    assert asked(home, "garden", ref=SOWER, session_key="agent:sower:main").memories


def test_a_project_without_a_history_has_one_head_and_one_ref(shop: Path) -> None:
    assert asked(shop, SHOP, head=BUILD_ID) == asked(shop, SHOP)
    assert refused(shop, SHOP, head="c1")[0] == "unreachable_head"
    assert refused(shop, SHOP, ref="refs/shared/other")[0] == "unknown_ref"


def test_a_history_that_cannot_be_shown_is_refused_whole(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    circle = Repository(
        "ring", [changeset("a", ["b"], project_id="ring"), changeset("b", ["a"], project_id="ring")]
    )
    circle = Repository("ring", circle.changesets, {SHARED_MAIN: "a"})
    write_memory(home, histories=[garden(), circle])
    assert refused(home, "ring") == ("unusable_history", "cycle detected at a")
    monkeypatch.setattr("tamis.memory_git.context.accepted_at.__defaults__", ("", 3))
    assert "holds more than 3 changesets" in refused(home, "garden")[1]


def test_a_build_without_the_records_of_histories_is_not_read_as_having_none(shop: Path) -> None:
    (shop / "published" / BUILD_ID / "memory_records.parquet").unlink()
    with pytest.raises(TamisError, match="run `tamis run` to publish again") as raised:
        asked(shop, SHOP)
    assert raised.value.exit_code == ENVIRONMENT


WORDS = st.text(alphabet="ab 한\n<🌱", max_size=60)
TEXTS = st.lists(WORDS.map(item), max_size=8)


@given(TEXTS, st.lists(WORDS.map(item), max_size=1), TEXTS, st.integers(0, 200), st.booleans())
def test_the_text_never_exceeds_the_budget_and_only_the_lowest_ranked_are_dropped(
    memories: list[str], summary: list[str], events: list[str], budget: int, is_subagent: bool
) -> None:
    opening = preamble("garden", "", is_subagent)
    found = fitted(opening, memories, summary, events, budget)
    assert estimated_tokens(found.text) <= budget
    newest = events[len(events) - found.events :]
    told = summary if found.has_summary else []
    assert found.text == rendered(opening, memories[: found.memories], told, newest)
    if found.memories < len(memories):
        one_more = rendered(opening, memories[: found.memories + 1], [], [])
        assert estimated_tokens(one_more) > budget


def test_memories_outside_the_budget_are_dropped_whole_and_named(plot: Path) -> None:
    whole = asked(plot, "garden")
    assert whole.manifest is not None
    short = asked(plot, "garden", budget=whole.manifest["estimated_tokens"] - 1)
    assert contents(short) == contents(whole)[:-1]
    assert short.manifest is not None
    assert short.manifest["exclusion_reasons"]["evt-1"] == "outside the token budget"
    assert short.manifest["selected_memory_ids"] == whole.manifest["selected_memory_ids"][:-1]
    assert [one["is_shown"] for one in short.items] == [True, True, True, False]
    nothing = asked(plot, "garden", budget=1)
    assert (nothing.text, nothing.memories) == ("", [])


def test_the_budget_is_the_setting_unless_one_is_asked_for(plot: Path) -> None:
    few = Settings(context_budget=60)
    assert asked(plot, "garden", few) == asked(plot, "garden", budget=60)
    assert len(asked(plot, "garden", few).memories) < len(asked(plot, "garden").memories)


def test_what_was_given_is_not_captured_again(home: Path) -> None:
    texts = [f"a </{TAG}> b", f"< / {TAG.upper()}> c", f"d <{TAG}>\n- e"]
    write_memory(home, [fact(f"f{number}", text) for number, text in enumerate(texts)])
    text = asked(home, SHOP).text
    assert "a &lt;/" in text
    assert over("ladder('text', \"'user'\")", [f"{text}\n\nMove the port"]) == ["Move the port"]


def test_tokens_are_estimated_as_lethe_estimates_them() -> None:
    assert [estimated_tokens(text) for text in ("", "a", "abcd", "abcde", "🌱🌱🌱")] == [
        *(0, 1, 1, 2, 2),
    ]
