"""Who speaks and where: sessions never disturb each other, and real folders give their projects."""

import json
from pathlib import Path

import pytest
from command_line import run_models
from git_places import answers, git, write_places
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from landing_home import claude, land_into, query, write
from rendered_models import keyed, row_wise_models
from test_macros import over

from tamis.explain import Explainer
from tamis.home import Settings, project_dir
from tamis.rules.rows import read_seeds
from tamis.session_keys import is_non_interactive, is_subagent, named_agent, namespace_of

ROOT = "/srv/root"
# Each run plans a model anew, so examples are few and long, and none is made smaller.
FEW = settings(
    max_examples=2,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
WORDS = st.sampled_from(
    [
        *("agent", "AGENT", "main", "Main", "Scout", "cron", "subagent", "heartbeat", "hook"),
        *("direct", "dm", "group", "channel", "room", "topic", "thread", "telegram", "schedule"),
        *("automation", "memory_flush", "memory-flush", "acp", "explicit", "node-1", "", " ", "5"),
        *("\u00a0", "외주", "a%3Ab"),
    ]
)
KEYS = st.lists(WORDS, max_size=6).map(":".join)
TRIGGERS = st.sampled_from(
    [None, "", "cron", " Cron ", "HEARTBEAT", "Memory flush", "webhook", "user", "subagent"]
)
NAMES = st.text(":%aA 3", max_size=6)
LINES = st.fixed_dictionaries(
    {
        "content": st.sampled_from(["Use port 7443", "thanks", "[cron:1 x] Check the mail", ""]),
        "role": st.sampled_from(["user", "assistant"]),
        "session_key": st.none() | KEYS,
        "trigger_kind": TRIGGERS,
        "agent_id": st.sampled_from([None, "", "Scout", "main", "subagent-7"]),
        "user_id": st.sampled_from(["user1", "user1:agent:scout", "user1%3Aagent"]),
        "cwd": st.sampled_from([None, "/srv/work/app", "/tmp/x", "C:\\work\\app", "~"]),
        "metadata": st.sampled_from([{}, {"is_subagent": True}, {"project_name": "/srv/a/b"}]),
    }
).map(json.dumps)


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    return Explainer(row_wise_models(), read_seeds(project_dir() / "seeds"), Settings())


@settings(max_examples=40, deadline=None)
@given(
    first=st.lists(LINES, min_size=1, max_size=4),
    second=st.lists(LINES, max_size=4),
    data=st.data(),
)
def test_sessions_that_are_interleaved_in_any_order_give_what_each_gives_alone(
    explainer: Explainer, first: list[str], second: list[str], data: st.DataObject
) -> None:
    sessions = [explainer.explain(first), explainer.explain(second)]
    alone = dict(zip([*first, *second], [*sessions[0], *sessions[1]], strict=True))
    mixed = data.draw(st.permutations([*first, *second]))
    assert explainer.explain(mixed) == [alone[line] for line in mixed]


@settings(FEW)
@given(keys=st.lists(KEYS, min_size=60, max_size=200))
def test_a_question_reads_a_session_key_as_curation_does(keys: list[str]) -> None:
    found = keyed([{"session_key": key} for key in keys])
    read = [
        (not answer["is_interactive"], answer["agent_id"], answer["is_subagent"])
        for answer in found
    ]
    assert read == [
        (is_non_interactive(None, key), named_agent(key), is_subagent(key)) for key in keys
    ]
    assert [answer["namespace"] for answer in found] == [
        namespace_of("default", named_agent(key)) for key in keys
    ]


def test_a_question_reads_a_trigger_as_curation_does() -> None:
    names = ["cron", " Cron\t", "Memory flush", "memory--flush", "webhook", "HOOK", "", "subagent"]
    assert over("is_machine_trigger('text')", names) == [
        is_non_interactive(name, None) for name in names
    ]


@settings(FEW)
@given(st.lists(st.tuples(NAMES, NAMES), min_size=60, max_size=200))
def test_no_two_owners_share_a_namespace(owners: list[tuple[str, str]]) -> None:
    named = [(user, agent.strip().lower()) for user, agent in owners]
    found = keyed([{"user_id": user, "agent_id": agent} for user, agent in owners])
    by_owner = dict(zip(named, (answer["namespace"] for answer in found), strict=True))
    assert all(
        namespace_of(user, None if agent == "main" else agent) == namespace
        for (user, agent), namespace in by_owner.items()
    )
    assert len(set(by_owner.values())) == len(by_owner)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("places").resolve()
    write_places(root)
    return root


# Where a session works, below the root, and the project and worktree that this is.
PROJECTS = {
    "work/monorepo": ("work/monorepo", None),
    "work/monorepo/packages/deep/nested": ("work/monorepo", None),
    "personal/monorepo": ("personal/monorepo", None),
    "link": ("work/monorepo", None),
    "link/packages": ("work/monorepo", None),
    "work/feature-x": ("work/monorepo", "feature-x"),
    "work/feature-x/packages/n": ("work/monorepo", "feature-x"),
    "personal/feature-x": ("personal/monorepo", "feature-x"),
    "work/monorepo/.worktrees/hare": ("work/monorepo", "hare"),
    "work/monorepo/inner/nestedrepo": ("inner/nestedrepo", None),
    "personal/monorepo/vendor/sub": ("personal/monorepo/vendor/sub", None),
    "lib/sub": ("lib/sub", None),
    "bare/sub.git": ("bare/sub", None),
    "bare/wt1": ("bare/sub", "wt1"),
    "My Repo (v2)": ("root/My Repo (v2)", None),
    "项目": ("root/项目", None),
    "plain/dir": ("plain/dir", None),
}


def test_every_place_of_a_repository_is_its_project(places: Path) -> None:
    folders = [f"{ROOT}/{folder}" for folder in PROJECTS]
    found = keyed([{"cwd": folder} for folder in folders], answers(places, folders, ROOT))
    assert {
        folder.removeprefix(f"{ROOT}/"): (answer["known_project_key"], answer["worktree"])
        for folder, answer in zip(folders, found, strict=True)
    } == PROJECTS


def test_a_remote_makes_one_project_of_clones_worktrees_and_submodules(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    write_places(root)
    for folder in ("work/monorepo", "personal/monorepo"):
        git(root / folder, "remote", "add", "origin", "git@git.example:acme/mono.git")
    sub = root / "personal/monorepo/vendor/sub"
    git(sub, "remote", "set-url", "origin", "https://git.example/acme/sub")
    given_folders = ["work/monorepo", "personal/feature-x", "personal/monorepo/vendor/sub"]
    folders = [f"{ROOT}/{folder}" for folder in given_folders]
    found = keyed([{"cwd": folder} for folder in folders], answers(root, folders, ROOT))
    mono, sub_key = "git.example/acme/mono", "git.example/acme/sub"
    assert [answer["known_project_key"] for answer in found] == [mono, mono, sub_key]


def test_explain_asks_git_about_a_lines_folder_once(places: Path) -> None:
    asked: list[str] = []

    def ask(cwd: str) -> str | None:
        asked.append(cwd)
        found = answers(places, [cwd], ROOT)
        return json.dumps(found[0]) if found else None

    ready = Explainer(row_wise_models(), read_seeds(project_dir() / "seeds"), Settings(), ask=ask)
    lines = [
        json.dumps({"content": "Use port 7443", "cwd": f"{ROOT}/{folder}"})
        for folder in ("work/feature-x", "work/feature-x", "none/such")
    ]
    found = [*ready.explain(lines), *ready.explain(lines[:1])]
    assert [(answer["project_key"], answer["worktree"]) for answer in found] == [
        ("work/monorepo", "feature-x"),
        ("work/monorepo", "feature-x"),
        ("none/such", None),
        ("work/monorepo", "feature-x"),
    ]
    assert sorted(asked) == [f"{ROOT}/none/such", f"{ROOT}/work/feature-x"]


@pytest.fixture(scope="module")
def scattered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a session that wanders, and three projects behind one slug."""
    home = tmp_path_factory.mktemp("scattered") / "home"
    folder = home.parent / "projects"
    session = "5b000000-0000-4000-8000-000000000001"
    said = [
        ("The kiln is lit at noon", {"cwd": "/u/Claude"}),
        ("The glaze is free of lead", {"cwd": "/u/Claude/src"}),
        ("The wood is beech", {"cwd": "/u"}),
        ("The door stays shut", {"cwd": "/var/folders/xy/T"}),
        ("Another repository has its own port", {"cwd": "/u/other"}),
        ("Found by a subagent", {"cwd": "/var/folders/xy/T", "isSidechain": True}),
        ("Found in a folder", {"cwd": "/u/scratch", "isSidechain": True}),
    ]
    write(
        folder / "-u-Claude" / f"{session}.jsonl",
        *(
            claude(text, session=session, timestamp=f"2026-06-01T10:00:{number:02}Z", **more)
            for number, (text, more) in enumerate(said)
        ),
    )
    checkout = {"cwd": "/u/other", "top_level": "/u/other", "is_worktree": False}
    remote = {"type": "git_checkout", "remote": "https://git.example/acme/other"}
    write(home.parent / "a.checkouts.jsonl", json.dumps({**remote, **checkout}))
    for number, name in enumerate(("외주", "개인", "회사")):
        other = f"5c000000-0000-4000-8000-00000000000{number}"
        text = claude(f"Fact {number}", session=other, cwd=f"/Users/k/projects/{name}/app")
        write(folder / "-Users-k-projects----app" / f"{other}.jsonl", text)
    assert land_into(home, home.parent).failed == ()
    run_models(home, "+int_events_deduplicated")
    return home


def projects_of(home: Path, session: str) -> dict[str, str]:
    return dict(
        query(
            home,
            "select content, project_key from intermediate.int_events_deduplicated"
            " inner join intermediate.int_events_unioned using (event_id)"
            f" where session_id like '{session}%'",
        )
    )


def test_a_session_stays_in_the_project_in_which_it_began(scattered: Path) -> None:
    """BR10: neither a temporary folder, nor a home, nor a subfolder is another project."""
    found = projects_of(scattered, "5b")
    assert found.pop("Another repository has its own port") == "git.example/acme/other"
    assert len(found) == 6
    assert set(found.values()) == {"u/Claude"}
    cwds = query(scattered, "select distinct cwd from intermediate.int_events_unioned")
    assert ("/var/folders/xy/T",) in cwds


def test_a_slug_is_never_read_while_lines_name_their_folder(scattered: Path) -> None:
    """BR11: three folders whose names become one slug are three projects."""
    assert sorted(projects_of(scattered, "5c").values()) == ["개인/app", "외주/app", "회사/app"]
