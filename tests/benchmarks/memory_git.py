"""Project generated histories of Memory Git, check them, and compare a branch of each.

    python tests/benchmarks/memory_git.py [COUNT …]

A history is a shared line into which short branches are merged: of ten changesets the first three
stand on a branch of their own, which the seventh merges. Each adds a memory, and adds another or
corrects, supersedes or attaches to an earlier one. `context` is the whole of `memory-context/v1`:
history, projection, ranking.
"""

import random
import resource
import sys
import time
from collections.abc import Callable, Sequence

from tamis.memory_git.conflicts import conflicts_between
from tamis.memory_git.context import memory_context
from tamis.memory_git.history import history_of
from tamis.memory_git.projection import project
from tamis.memory_git.records import SHARED_MAIN, Changeset, Operation, Repository
from tamis.memory_git.validation import problems_of

COUNTS = (1_200, 20_000, 100_000)


def generated(count: int) -> Repository:
    """A project with a history of so many changesets."""
    numbers = random.Random(count)
    changesets = [Changeset("c0", "garden")]
    shared = branch = "c0"
    for number in range(1, count):
        name, step = f"c{number}", number % 10
        if step in (1, 2, 3):
            parents = [shared if step == 1 else branch]
            branch = name
        else:
            parents = [shared, branch] if step == 7 else [shared]
            shared = name
        changesets.append(Changeset(name, "garden", parents, operations(name, number, numbers)))
    return Repository("garden", changesets, {SHARED_MAIN: shared})


def operations(name: str, number: int, numbers: random.Random) -> list[Operation]:
    """A new memory, and something that happens to an older one."""
    text = f"service {number} listens on port {number % 60_000}, told by job {number % 977}"
    fact = {"content": text, "kind": "fact", "fact_key": f"port {number}", "tags": ["port"]}
    target = f"mem:c{numbers.randrange(max(number - 50, 0), number)}:0"
    kind = numbers.choice(["correct_memory", "supersede_memory", "attach_evidence", "add_memory"])
    payload = {"summary": "seen"} if kind == "attach_evidence" else {"content": f"{text}, moved"}
    target = "" if kind == "add_memory" else target
    return [
        Operation(name, 0, "add_memory", payload=fact),
        Operation(name, 1, kind, target, payload=payload),
    ]


def timed(work: Callable[[], object]) -> float:
    """The seconds that some work takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measured(one: Repository, branch: str) -> list[float]:
    """The seconds of each step, the last of them against a branch that is not merged."""
    head = one.refs[SHARED_MAIN]
    history = history_of(one, head)
    return [
        timed(lambda: history_of(one, head)),
        timed(lambda: project(one, history)),
        timed(lambda: memory_context(one, query="which port does job 42 tell")),
        timed(lambda: problems_of(one)),
        timed(lambda: conflicts_between(one, "c0", head, branch)),
    ]


def main(counts: Sequence[int]) -> None:
    columns = ("history", "project", "context", "checks", "branches")
    print("changesets" + "".join(f"{name:>11}" for name in columns) + "   peak MB")
    for count in counts:
        seconds = measured(generated(count), f"c{count - 7}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{count:10,}" + "".join(f"{one:9.2f} s" for one in seconds) + f"{peak:10,.0f}")


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or COUNTS)
