"""Fifty killed landings in a row, then one that ends: nothing is lost, doubled or left behind."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from landing_home import kept, land_into, query

from tamis.sources import source_entities
from tamis.state import landings, open_state

COUNT = 50
SEED = 20260602


def everything(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every raw row apart from when it landed, by table."""
    rows = {entity: kept(home, entity) for entity in source_entities()}
    columns = "* exclude (landed_at, landing_id)"
    rejects = query(home, f"select {columns} from raw.rejects order by reject_id")
    return {**rows, "rejects": rejects}


def test_killed_landings_lose_nothing_double_nothing_and_leave_nothing(
    home: Path, folder: Path
) -> None:
    program = Path(__file__).with_name("killed_landings.py")
    arguments = [home, folder, COUNT, SEED]
    done = subprocess.run(
        [sys.executable, program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["killed"] + told["finished"] == COUNT
    assert told["killed"] >= COUNT / 2
    whole = home.with_name("whole")
    land_into(whole, folder)
    last = land_into(home, folder)
    expected, found = everything(whole), everything(home)
    assert {name: len(rows) for name, rows in found.items()} == {
        name: len(rows) for name, rows in expected.items()
    }
    assert found == expected
    filled = {name for name, rows in found.items() if rows}
    assert filled >= {
        *("claude_code__entries", "openclaw__entries", "openclaw__session_files"),
        *("openclaw__session_index", "hive_mind__memory_frames", "git__checkouts", "rejects"),
    }
    with open_state(home, read_only=True) as ledger:
        states = {row["landing_id"]: row["state"] for row in landings(ledger, limit=COUNT + 1)}
    assert set(states.values()) == {"done", "interrupted"}
    assert states[last.landing_id] == "done"
    assert not list(home.glob("landing-*"))
    assert land_into(home, folder).records == 0
