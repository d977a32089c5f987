"""Answer `tamis context` from generated builds, and say how long it takes.

    PYTHONPATH=tests python tests/benchmarks/context.py [COUNT …]

All facts are current and of one project: the worst case, since other projects' are left out before
anything is ranked. `first` is the first question of a process, which reads the build; `next` is the
median of the following ones, each another query. Two in a hundred texts are not ASCII. Then the
same of histories of Memory Git with so many changesets.
"""

import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from handmade_memory import SHOP, fact, session, source, write_memory
from memory_git import generated

from tamis.context import ContextRequest, assemble
from tamis.home import Settings
from tamis.publish import current_build
from tamis.recall.published import index

COUNTS = (1_000, 10_000, 100_000)
QUERIES = 20
NOW = datetime(2026, 3, 7)


def write_generated(home: Path, count: int) -> None:
    """A published build of so many facts, each with a source, and a session of five."""
    numbers = random.Random(count)
    facts = []
    for number in range(count):
        place = "서버" if number % 50 == 0 else "host"
        text = (
            f"Service {number} on {place} {number % 311} listens on port {number % 60_000}, told by"
            f" job {number % 977} after the move of module m{numbers.randrange(5_000)}"
        )
        began = datetime(2026, 1, 1) + timedelta(seconds=number)
        facts.append(fact(f"f{number}", text, t_valid=began, salience=number % 10 + 1))
    sources = [
        source(f"e{number}", f"f{number}", 0, session_id="ses-1" if number < 5 else f"s{number}")
        for number in range(count)
    ]
    sessions = [session(f"s{number}", f"agent:main:{number}") for number in range(count // 10)]
    write_memory(home, facts, sources=sources, sessions=sessions)
    index(current_build(home), None, None)


def seconds_of(home: Path, project: str, query: str) -> float:
    """The seconds that one answer takes, its manifest stored."""
    request = ContextRequest(project, query, session_key="ses-1")
    begun = time.perf_counter()
    found = assemble(home, Settings(), request, now=NOW, stores=True)
    taken = time.perf_counter() - begun
    assert found.memories
    return taken


def measured(home: Path, project: str) -> str:
    """The seconds of a first question, of following ones and of one without a query."""
    first = seconds_of(home, project, "which port does job 42 tell")
    queries = [f"port of service {number} on host after job" for number in range(QUERIES)]
    following = statistics.median(seconds_of(home, project, query) for query in queries)
    unasked = seconds_of(home, project, "")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"{first:10.2f}{following:10.2f}{unasked:12.2f}{peak:10}"


def main(counts: Sequence[int]) -> None:
    columns = "   first s    next s  no query s   peak MB"
    print(f"     facts{columns}")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            write_generated(Path(folder), count)
            print(f"{count:10}{measured(Path(folder), SHOP)}")
    print(f"changesets{columns}")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            write_memory(Path(folder), histories=[generated(count)])
            print(f"{count:10}{measured(Path(folder), 'garden')}")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or COUNTS)
