"""Who speaks, what started it and where: upstream's cases through the model that keys events."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from git_places import answers, git, repository, write_places
from rendered_models import answers_of, keyed
from test_macros import over

from replays import Case

UNKNOWN = "unknown-project"
SHOWN = "/srv/root"


def owners(found: Sequence[dict[str, Any]]) -> list[str]:
    """The namespaces of events."""
    return [answer["namespace"] for answer in keyed(found)]


def agent_user_id(cases: Sequence[Case]) -> list[str]:
    return owners(
        [
            {"user_id": case["input"]["base"], "agent_id": case["input"]["agent_id"]}
            for case in cases
        ]
    )


def effective_user_id(cases: Sequence[Case]) -> list[str]:
    return owners(
        [
            {"user_id": case["input"]["base"], "session_key": case["input"]["session_key"]}
            for case in cases
        ]
    )


def resolve_user_id(cases: Sequence[Case]) -> list[str]:
    """An agent or a user who is named is asked, else who the session's key says."""
    asked = []
    for case in cases:
        base, named = case["input"]["base"], case["input"]["opts"]
        agent, user = named.get("agentId"), named.get("userId")
        asked.append(
            {"user_id": base, "agent_id": agent}
            if agent
            else {"user_id": user}
            if user
            else {"user_id": base, "session_key": case["input"]["session_key"]}
        )
    return owners(asked)


def extract_agent_id(cases: Sequence[Case]) -> list[str | None]:
    return [answer["agent_id"] for answer in keyed([{"session_key": c["input"]} for c in cases])]


def is_non_interactive_trigger(cases: Sequence[Case]) -> list[bool]:
    found = keyed(
        [
            {
                "trigger_kind": case["input"]["trigger"],
                "session_key": case["input"]["session_key"],
            }
            for case in cases
        ]
    )
    return [not answer["is_interactive"] for answer in found]


def is_subagent_session(cases: Sequence[Case]) -> list[bool]:
    return [answer["is_subagent"] for answer in keyed([{"session_key": c["input"]} for c in cases])]


def session_scope(cases: Sequence[Case]) -> list[str]:
    """What upstream writes is read back, and the ids that are found are written as it does."""
    scopes = [case["expected"] for case in cases]
    found = {
        name: over(f"mem0_scope('text', '{name}')", scopes)
        for name in ("agent_id", "run_id", "user_id")
    }
    marks = {"%": "%25", "&": "%26", "=": "%3D"}
    return [
        "&".join(
            f"{name}={re.sub('[%&=]', lambda mark: marks[mark[0]], values[number])}"
            for name, values in found.items()
            if values[number]
        )
        for number in range(len(scopes))
    ]


def session_key_classify(cases: Sequence[Case]) -> list[str]:
    """A key names its agent, begins like one that does, or is another one."""
    keys = [case["input"] for case in cases]
    agents = over("session_agent('text')", keys)
    return [
        "missing"
        if not (key or "").strip()
        else "agent"
        if agent
        else "malformed_agent"
        if key.strip().lower().startswith("agent:")
        else "legacy_or_alias"
        for key, agent in zip(keys, agents, strict=True)
    ]


def session_key_parse(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """What decides something here: the agent, and what started the session.

    That a session is a run of a job, an editor's or the main one changes nothing: these flags
    are taken over from the case.
    """
    keys = [case["input"] for case in cases]
    agents = over("session_agent('text')", keys)
    paths = over("session_path('text')", keys)
    triggers = over("trigger_kind('text')", keys)
    found = []
    for case, agent, path, trigger in zip(cases, agents, paths, triggers, strict=True):
        asked = case["expected"]
        kind = {
            **(asked["kind"] or {}),
            "subagent_depth": len(re.findall("(?:^|:)subagent:", path)),
            "is_cron": trigger == "cron",
            "is_heartbeat": trigger == "heartbeat",
        }
        parsed = {**(asked["parsed"] or {}), "agent_id": agent}
        if agent is None:
            started = trigger if trigger in ("cron", "heartbeat", "hook", "subagent") else None
            found.append({"parsed": None, "kind": started and {"trigger": started}})
        else:
            found.append({"parsed": parsed, "kind": kind})
    return found


def project_name(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """The project's key in the place of a name, in real repositories."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        write_places(root)
        cwds = [(case["input"]["cwd"] or "").replace("<R>", SHOWN) for case in cases]
        absolute = sorted({cwd for cwd in cwds if cwd.startswith(SHOWN)})
        found = keyed([{"cwd": cwd} for cwd in cwds], answers(root, absolute, SHOWN))
    return [named(case, answer) for case, answer in zip(cases, found, strict=True)]


def named(case: Case, answer: dict[str, Any]) -> dict[str, Any]:
    key, worktree = answer["known_project_key"] or UNKNOWN, answer["worktree"]
    if "context" not in case["expected"]:
        return {"name": key}
    tree = f"{key}/{worktree}"
    return {
        "name": key,
        "context": {
            "primary": tree if worktree else key,
            "parent": key if worktree else None,
            "isWorktree": bool(worktree),
            "allProjects": [key, tree] if worktree else [key],
        },
    }


def detect_worktree(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Git itself reads the file, beside repositories that are really there."""
    found = []
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            write_checkout(root, case["input"])
            cwd = f"{SHOWN}/w/checkout-a"
            placed = answers_of(
                "int_folders_placed",
                {
                    "int_events_unioned": [{"cwd": cwd}],
                    "stg_git__checkouts": [
                        dict.fromkeys(("cwd", "top_level", "common_dir", "remote", "superproject"))
                        | {"is_worktree": None},
                        *answers(root, [cwd], SHOWN),
                    ],
                },
            )
        worktree, at = placed[0]["worktree"], placed[0]["root"]
        home = at.replace(f"{SHOWN}/w", "<W>").replace(f"{SHOWN}/repos", "/repos")
        found.append(
            {
                "isWorktree": bool(worktree),
                "worktreeName": worktree,
                "parentRepoPath": home if worktree else None,
                "parentProjectName": home.split("/")[-1] if worktree else None,
            }
        )
    return found


def write_checkout(root: Path, asked: dict[str, Any]) -> None:
    """A checkout whose `.git` says what the case says, and the repositories that it may mean."""
    place = root / "w/checkout-a"
    if asked.get("git") == "directory":
        repository(place)
    elif asked.get("git") == "absent":
        place.mkdir(parents=True)
    else:
        main, beside = repository(root / "repos/main"), repository(root / "w/main")
        git(root / "repos", "clone", "--quiet", "--bare", "main", "main.git")
        for home, kept in (
            (main, "repos/main/.git/worktrees/wt1"),
            (root / "repos/main.git", "repos/main.git/worktrees/wt1"),
            (beside, "w/main/.git/worktrees/x"),
        ):
            git(
                home,
                "worktree",
                "add",
                "--quiet",
                "--detach",
                str(root / "tree" / home.name / Path(kept).name),
            )
            (root / kept / "gitdir").write_text(f"{place}/.git\n")
        git(main, "clone", "--quiet", "--bare", ".", ".git/modules/sub")
        place.mkdir(parents=True)
        text = asked["git_file"].replace("/repos/", f"{root}/repos/")
        (place / ".git").write_text(text)


def workspace_deriver(cases: Sequence[Case]) -> list[dict[str, str]]:
    """Where upstream has its one personal workspace, the project is unknown."""
    found = keyed([{"cwd": case["input"]["cwd"]} for case in cases])
    return [
        {"id": key, "name": key.split("/")[-1]} if key else {"id": "personal", "name": "Personal"}
        for key in (answer["known_project_key"] for answer in found)
    ]


def nothing(cases: Sequence[Case]) -> list[None]:
    """Tables that ask for what tamis does not do: deviations.csv says why."""
    return [None] * len(cases)


REPLAYS = {
    "mem0_openclaw/agent_user_id": agent_user_id,
    "mem0_openclaw/effective_user_id": effective_user_id,
    "mem0_openclaw/resolve_user_id": resolve_user_id,
    "mem0_openclaw/extract_agent_id": extract_agent_id,
    "mem0_openclaw/is_non_interactive_trigger": is_non_interactive_trigger,
    "mem0_openclaw/is_subagent_session": is_subagent_session,
    "mem0_core/session_scope": session_scope,
    "openclaw/session_key_classify": session_key_classify,
    "openclaw/session_key_parse": session_key_parse,
    "claude_mem/project_name": project_name,
    "claude_mem/detect_worktree": detect_worktree,
    "hive_mind/workspace_deriver": workspace_deriver,
    "claude_mem/cwd_to_dashed": nothing,
    "claude_mem/is_project_excluded": nothing,
    "claude_mem/normalize_platform_source": nothing,
    "openclaw/session_chat_type": nothing,
    "openclaw/telegram_thread_parent": nothing,
}
