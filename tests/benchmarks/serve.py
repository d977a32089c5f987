"""How long `tamis serve` takes to answer at a steady rate, on a generated build.

Run by hand: python tests/benchmarks/serve.py [--changesets N] [--facts N] [--rate N] [--seconds N]

Requests are sent when they are due, whether those before were answered or not, and each is timed
from when it was due: a server that falls behind shows it. Every query is another one. The client
runs on the same cores as the server. A third of the requests pins a manifest, a third reads the
accepted memory, and with --facts a third reads a project without a history.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memory_git_histories import changeset
from published_marts import memory_rows, project_row, publish_marts
from serving import Server, new_key, running_server

from tamis.memory_git.records import SHARED_MAIN, Repository

WORDS = [
    *("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heron"),
    *("iris", "jade", "kelp", "lark", "moss", "north"),
]
FACTS = """
    copy (
        select
            printf('%012d', n) as fact_id,
            concat_ws(' ', 'fact', n, list_extract(words, 1 + n % 14),
                list_extract(words, 1 + (n // 14) % 14)) as text,
            'statement' as fact_type, 'default' as namespace, null::varchar as agent_id,
            'shed' as project_key, null::bigint as salience, null::varchar[] as tags,
            null::double as confidence, timestamp '2026-03-01' as t_valid, true as is_current
        from (select unnest(range($1)) as n, $2 as words)
    ) to '{path}' (format parquet)
"""


def text(numbers: random.Random) -> str:
    """A few words."""
    return " ".join(numbers.choices(WORDS, k=6))


def publish(home: Path, changesets: int, facts: int) -> None:
    """A history of one memory a changeset, and a project of facts without one."""
    numbers = random.Random(7)
    made = [changeset("c0")]
    for number in range(1, changesets):
        content = {"content": f"memory {number} {text(numbers)}"}
        made.append(changeset(f"c{number}", [f"c{number - 1}"], ("add_memory", content)))
    history = Repository("garden", made, {SHARED_MAIN: made[-1].changeset_id})
    folder = publish_marts(
        home,
        "generated",
        memory_records=memory_rows(history),
        projects=[project_row("garden"), project_row("shed")],
    )
    if facts:
        path = folder / "facts.parquet"
        duckdb.connect().execute(FACTS.format(path=path), [facts, WORDS])


class Client:
    """Asks over connections that stay open, one a thread."""

    def __init__(self, server: Server, key: str) -> None:
        self._port = server.port
        self._key = key
        self._open = threading.local()

    def ask(self, number: int, facts: int, due: float) -> float:
        """Seconds from when a request was due until its answer was read."""
        if not hasattr(self._open, "connection"):
            self._open.connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        connection = self._open.connection
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        query = f"{WORDS[number % 14]} {WORDS[number // 14 % 14]} {number}"
        project = "shed" if facts and number % 3 == 2 else "garden"
        path = f"/api/memory/{project}/context"
        if number % 3 == 0:
            body = json.dumps({"query": query, "create_manifest": True})
            connection.request("POST", path, body, headers)
        else:
            connection.request("GET", f"{path}?{urlencode({'query': query})}", headers=headers)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        assert answer.status == 200, told
        assert told["memories"], told
        return time.perf_counter() - due


def processor_seconds(process: int) -> float:
    """The processor time that a process took so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--changesets", type=int, default=1_200)
    parser.add_argument("--facts", type=int, default=0)
    parser.add_argument("--rate", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        publish(home, chosen.changesets, chosen.facts)
        grants = ("--grant", "garden=memory.read,memory.commit", "--grant", "shed=memory.read")
        key = new_key(home, "client", *grants)
        with running_server(home) as server, ThreadPoolExecutor(64) as pool:
            client = Client(server, key)
            first = [client.ask(number, chosen.facts, time.perf_counter()) for number in range(3)]
            waiting = []
            worked = processor_seconds(server.process.pid)
            start = time.perf_counter()
            for number in range(3, 3 + chosen.rate * chosen.seconds):
                due = start + (number - 3) / chosen.rate
                time.sleep(max(0.0, due - time.perf_counter()))
                waiting.append(pool.submit(client.ask, number, chosen.facts, due))
            took = sorted(1000 * one.result() for one in waiting)
            worked = processor_seconds(server.process.pid) - worked
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    print(f"changesets {chosen.changesets}, facts {chosen.facts}, {chosen.rate} a second")
    print(f"first answers {', '.join(f'{1000 * one:.0f}' for one in first)} ms")
    print(f"p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, longest {took[-1]:.1f} ms")
    each = 1000 * worked / len(took)
    print(f"processor time {each:.1f} ms a request, load {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
