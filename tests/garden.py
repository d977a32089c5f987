"""A published home with two gardens and two keepers, each with secrets of their own."""

from pathlib import Path

from memory_git_histories import changeset
from published_marts import (
    fact_row,
    memory_rows,
    project_row,
    publish_marts,
    rejection_row,
    session_row,
    source_row,
)

from tamis.memory_git.records import SHARED_MAIN, Repository

SHARED = {"water": "Water the beds at seven", "bed": "Bed four holds tomatoes"}
# Whatever of the user's own, of an agent's or of another project's must not be seen by others.
SOWER_BRANCH = "sower-branch-words"
DIGGER_BRANCH = "digger-branch-words"
ORCHARD = "orchard-words"
OWN_FACT = "own-fact-words"
SOWER_FACT = "sower-fact-words"
DIGGER_FACT = "digger-fact-words"
OWN_NOISE = "own-noise-words"
DIGGER_NOISE = "digger-noise-words"
SOWER_REF = "refs/agents/sower/main"
DIGGER_REF = "refs/agents/digger/main"
IDS = {
    OWN_FACT: "aaaaaaaaaa01",
    SOWER_FACT: "bbbbbbbbbb01",
    DIGGER_FACT: "cccccccccc01",
    OWN_NOISE: "dddddddddd01",
    DIGGER_NOISE: "eeeeeeeeee01",
}
EVENTS = {OWN_FACT: "a0a0a0a0a001", SOWER_FACT: "b0b0b0b0b001", DIGGER_FACT: "c0c0c0c0c001"}
SESSIONS = {OWN_FACT: "own-session", SOWER_FACT: "sower-session", DIGGER_FACT: "digger-session"}


def garden(more: str = "") -> Repository:
    """A history with a branch of each keeper that was never merged."""
    made = [
        changeset("root", (), ("add_memory", {"content": SHARED["water"]})),
        changeset("main", ("root",), ("add_memory", {"content": SHARED["bed"]})),
        changeset("sown", ("root",), ("add_memory", {"content": SOWER_BRANCH})),
        changeset("dug", ("root",), ("add_memory", {"content": DIGGER_BRANCH})),
    ]
    if more:
        made.append(changeset("more", ("main",), ("add_memory", {"content": more})))
    head = "more" if more else "main"
    return Repository("garden", made, {SHARED_MAIN: head, SOWER_REF: "sown", DIGGER_REF: "dug"})


def orchard() -> Repository:
    """A history of another project."""
    made = [changeset("apple", (), ("add_memory", {"content": ORCHARD}), project_id="orchard")]
    return Repository("orchard", made, {SHARED_MAIN: "apple"})


def publish_garden(home: Path, build_id: str = "20260301-first", more: str = "") -> Path:
    """Publish it; `more` is one more accepted memory."""
    keepers = {OWN_FACT: None, SOWER_FACT: "sower", DIGGER_FACT: "digger"}
    keys = {None: "agent:main:main", "sower": "agent:sower:main", "digger": "agent:digger:main"}
    return publish_marts(
        home,
        build_id,
        memory_records=memory_rows(garden(more), orchard()),
        facts=[fact_row(IDS[text], text, agent) for text, agent in keepers.items()],
        fact_sources=[
            source_row(EVENTS[text], IDS[text], SESSIONS[text], agent)
            for text, agent in keepers.items()
        ],
        rejections=[
            rejection_row(IDS[OWN_NOISE], OWN_NOISE),
            rejection_row(IDS[DIGGER_NOISE], DIGGER_NOISE, "digger"),
        ],
        sessions=[
            session_row(SESSIONS[text], keys[agent], agent) for text, agent in keepers.items()
        ],
        projects=[project_row("garden", agent) for agent in keepers.values()]
        + [project_row("github.com/nobody/shed", None, ["shed"])],
    )
