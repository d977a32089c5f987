"""Groups that a source declares, and restatements of boot files: one is kept, all are told."""

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from captures import claude_mem
from captures.mem0 import day, memory_id
from command_line import run_tamis
from landing_home import land_into, query, write

TITLE = "Port moved"
BEGIN = claude_mem.BEGIN
OTHER_SESSION = "e1000000-0000-4000-8000-000000000009"
WORDS = ["moved", "went", "changed", "shifted", "switched", "turned", "jumped", "passed", "came"]
OPENINGS = [
    "The assistant is instructed to",
    "Agent is configured to always",
    "The agent should",
    "According to the system prompt, the assistant must",
    "The AI is supposed to",
]
SENTENCES = [
    "read SOUL.md and greet the user in one short line at the start of a session",
    "read SOUL.md and greet the user with one short line at the start of a session",
    "read SOUL.md and greet the user in one brief line at the start of a session",
    "read SOUL.md, and greet the user in one short line at the start of each session",
]
OTHER_STATEMENTS = [
    "The assistant is instructed to read USER.md and greet the user in one short line at the start"
    " of a session",
    "The assistant is instructed to never read SOUL.md in a group chat",
    "AGENTS.md says to use tabs",
    "AGENTS.md says to use spaces",
]
PREFERENCE = "The user prefers tea to coffee"


def observation(narrative: str, at: int, session: str = claude_mem.MEMORY_SESSION) -> dict:
    """A row of claude-mem's observations, `at` seconds after the beginning."""
    row = claude_mem.observation(TITLE, narrative, at, None)
    return {**row, "memory_session_id": session, "prompt_number": 3}


def memory(number: int, text: str, at: datetime) -> dict[str, Any]:
    """One memory of a mem0 list."""
    return {
        "id": memory_id(number),
        "memory": text,
        "user_id": "u1",
        "created_at": at.isoformat() + "+00:00",
        "updated_at": None,
    }


def restatements() -> list[str]:
    """Forty ways to say one sentence of a boot file."""
    texts = [f"{opening} {sentence}" for opening in OPENINGS for sentence in SENTENCES]
    return texts + [f"{text}." for text in texts]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("groups")
    database = folder / "from" / "claude-mem.db"
    database.parent.mkdir()
    rows = [
        observation("The service moved to port 7443 at noon", 10),
        *(observation(f"The service {word} to port 7443 at noon", 10) for word in WORDS),
        observation("The service is back on 8080", 310),
        observation("Elsewhere it moved to 7443", 10, OTHER_SESSION),
    ]
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(claude_mem.SCHEMA)
        for row in rows:
            marks = ", ".join("?" * len(row))
            connection.execute(
                f"insert into observations ({', '.join(row)}) values ({marks})", list(row.values())
            )
        connection.commit()
    begin = datetime.fromisoformat(day(1)).replace(tzinfo=None)
    texts = [*restatements(), *OTHER_STATEMENTS, PREFERENCE]
    memories = [
        memory(number, text, begin + timedelta(days=number)) for number, text in enumerate(texts)
    ]
    echoes = [
        memory(900 + number, f"Relevant memories:\n- {PREFERENCE}", begin + timedelta(days=60))
        for number in range(5)
    ]
    write(folder / "from" / "memories.json", json.dumps({"results": memories + echoes}))
    home = folder / "home"
    land_into(home, folder / "from")
    done = run_tamis("--home", home, "build")
    assert done.returncode == 0, done.stdout + done.stderr
    return home


def test_observations_of_one_instant_and_title_are_one_and_a_later_one_is_another(
    built: Path,
) -> None:
    """BR01: ten rewordings of one instant, and one five minutes later."""
    found = query(
        built,
        "select facts.text, capture_count, tags, list(distinct cover_rule)"
        " filter (where cover_rule is not null)"
        " from marts.facts inner join marts.fact_sources using (fact_id)"
        " where facts.source_system = 'claude_mem' group by all order by text",
    )
    rule = "same session, instant and title"
    assert found == [
        (f"{TITLE}\nElsewhere it moved to 7443", 1, [], None),
        (f"{TITLE}\nThe service is back on 8080", 1, [], None),
        (f"{TITLE}\nThe service moved to port 7443 at noon", 10, [rule], [rule]),
    ]


def test_forty_restatements_of_a_boot_file_are_one_flagged_row_with_their_count(
    built: Path,
) -> None:
    """BR07: one row with a count of forty, and the true preference beside it."""
    found = query(
        built,
        "select text, capture_count, tags from marts.facts where source_system = 'mem0'"
        " order by t_valid",
    )
    assert found == [
        (restatements()[0], 40, ["boot file restated"]),
        *[(text, 1, []) for text in OTHER_STATEMENTS],
        (PREFERENCE, 1, []),
    ]
    assert query(
        built,
        "select relation, cover_rule, count(*) from marts.fact_sources"
        " where source_system = 'mem0' group by all order by all",
    ) == [("covered", "boot file restated", 39), ("first", None, 6)]


def test_recall_echoes_are_refused_and_nothing_is_lost(built: Path) -> None:
    assert query(
        built,
        "select count(*) from marts.rejections where source_system = 'mem0'",
    ) == [(5,)]
    assert query(
        built,
        "select count(*) from (select event_id from marts.fact_sources"
        " union all select event_id from marts.rejections)",
    ) == query(built, "select count(*) from intermediate.int_events_unioned")
