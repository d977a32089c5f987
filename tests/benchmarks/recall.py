"""Recall in a large store: how long its index takes, how large it is, how fast it answers.

python tests/benchmarks/recall.py FACTS [ENCODER]
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from tamis.recall.encoders import load_encoder
from tamis.recall.published import index
from tamis.recall.search import Query, search
from tamis.recall.store import Store

BEGIN = datetime(2024, 1, 1)
COMMON = ("the", "of", "to", "and", "a", "in", "is", "it", "that", "for", "on", "was", "with", "as")
QUESTIONS = 60
WORDS = 60_000


def facts(count: int, seed: int = 0) -> pl.DataFrame:
    """Facts of 5 to 29 words that are as common as words are, in seven projects."""
    chance = np.random.default_rng(seed)
    vocabulary = np.array([*COMMON, *(f"word{i:x}" for i in range(len(COMMON), WORDS))])
    shares = 1 / np.arange(2, WORDS + 2) ** 1.05
    lengths = chance.integers(5, 30, count)
    words = chance.choice(vocabulary, lengths.sum(), p=shares / shares.sum())
    texts = [" ".join(part) for part in np.split(words, np.cumsum(lengths)[:-1])]
    return pl.DataFrame(
        {
            "fact_id": [f"{i:064x}" for i in range(count)],
            "text": texts,
            "namespace": "default",
            "project_key": [f"git.example/project-{i % 7}" for i in range(count)],
            "t_valid": [BEGIN + timedelta(minutes=i) for i in range(count)],
            "is_current": [i % 10 != 0 for i in range(count)],
            "source_system": "openclaw",
            "source_session_id": [f"session-{i // 20}" for i in range(count)],
        }
    )


def timed(label: str, work: Callable[[], object]) -> None:
    """Do some work, and say how long it took by the clock and on the processor (seconds)."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    print(
        f"{label}: {time.perf_counter() - clock:.2f} s, "
        f"{time.process_time() - processor:.2f} s of processor time"
    )


def main() -> None:
    count = int(sys.argv[1])
    encoder = sys.argv[2] if len(sys.argv) > 2 else None
    if encoder:
        load_encoder(encoder)
    with tempfile.TemporaryDirectory() as folder:
        published = Path(folder)
        rows = facts(count)
        rows.write_parquet(published / "facts.parquet")
        timed("index", lambda: index(published, None, encoder))
        changed = pl.concat([rows[: count - count // 100], facts(count, 1)[-(count // 100) :]])
        changed.write_parquet(published / "facts.parquet")
        timed("index again, one in a hundred new", lambda: index(published, published, encoder))
        sizes = [path.stat().st_size for path in (published / "recall").iterdir()]
        print(f"size: {sum(sizes) / 1e6:.0f} MB, marts {_size(published):.0f} MB")
        timed("open", lambda: Store.open(published))
        store = Store.open(published)
        texts = store.facts["text"].sample(QUESTIONS, seed=1).to_list()
        asked = [f"what is the {' '.join(text.split()[:8])} in may 2024?" for text in texts]
        timed("first question", lambda: search(store, Query(asked[0])))
        report("all", store, [Query(text) for text in asked])
        project = "git.example/project-3"
        report("one project", store, [Query(text, project=project) for text in asked])
        report("as of", store, [Query(text, as_of=datetime(2024, 2, 1)) for text in asked])


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.glob("*.parquet")) / 1e6


def report(label: str, store: Store, queries: list[Query]) -> None:
    """Say how long questions take, in milliseconds."""
    clocks, processors = [], []
    for query in queries:
        clock, processor = time.perf_counter(), time.process_time()
        search(store, query)
        clocks.append((time.perf_counter() - clock) * 1000)
        processors.append((time.process_time() - processor) * 1000)
    print(
        f"{label}: median {statistics.median(clocks):.1f} ms, most {max(clocks):.1f} ms, "
        f"median on the processor {statistics.median(processors):.1f} ms"
    )


if __name__ == "__main__":
    main()
