"""How memory came to be what it is: life lines, the graph of changesets, heads of the past."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import polars as pl

from tamis.memory_git.history import history_at
from tamis.memory_git.records import Repository
from tamis.publish import read_mart

LIFE_COLUMNS = (
    *("fact_id", "text", "t_valid", "t_invalid", "recorded_at", "expired_at", "is_current"),
    "superseded_by",
)


def life_line(published: Path, fact_id: str) -> pl.DataFrame:
    """Every version of a statement, and all that replaced it or that it replaced, the oldest first.

    Args:
        published: the folder of one published build.
        fact_id: any fact of the line.

    Returns:
        One row per fact of the line: its text and intervals, and the kind, reason, actor and
        source of what ended it (null where nothing did).

    Raises:
        TamisError: exit 3 where the build can't be read.
    """
    statement = ["namespace", "project_key", "body_hash"]
    facts = read_mart(published, "facts", [*LIFE_COLUMNS, *statement])
    corrections = read_mart(published, "fact_corrections")
    replaced = corrections.select("target_fact_id", "replacement_fact_id").drop_nulls()
    line = {fact_id}
    reached: set[str] = set()
    while line != reached:
        reached = set(line)
        own = facts.filter(pl.col("fact_id").is_in(reached))
        line |= set(facts.join(own.select(statement).unique(), on=statement, how="semi")["fact_id"])
        touched = replaced.filter(
            pl.col("target_fact_id").is_in(reached) | pl.col("replacement_fact_id").is_in(reached)
        )
        line |= set(touched["target_fact_id"]) | set(touched["replacement_fact_id"])
    ends = (
        corrections.filter(pl.col("kind") != "reopen")
        .sort("decided_at", "correction_id", nulls_last=True)
        .unique("target_fact_id", keep="last", maintain_order=True)
        .select("target_fact_id", "kind", "reason", "actor", "source")
    )
    return (
        facts.filter(pl.col("fact_id").is_in(line))
        .select(LIFE_COLUMNS)
        .join(ends, left_on="fact_id", right_on="target_fact_id", how="left", maintain_order="left")
        .sort("t_valid", "recorded_at", "fact_id", nulls_last=True)
    )


def changeset_graph(changesets: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Where to draw the changesets of one project.

    Args:
        changesets: rows of memory_changesets.

    Returns:
        The changesets with `step` (one more than the farthest of their parents, 0 without any) and
        `lane` (0 for the first-parent line of the shared main ref, then branches, no two changesets
        in one place), and the edges from each parent that was landed: from_step, from_lane, step,
        lane.
    """
    rows = {row["changeset_id"]: row for row in changesets.iter_rows(named=True)}
    parents = {
        one: [parent for parent in row["parent_ids"] or () if parent in rows]
        for one, row in rows.items()
    }
    steps = _steps(parents)
    accepted = [one for one, row in rows.items() if row["history_position"] is not None]
    head = max(accepted, key=lambda one: rows[one]["history_position"], default=None)
    lanes: dict[str, int] = {}
    while head is not None and head not in lanes:
        lanes[head] = 0
        head = next(iter(parents[head]), None)
    taken = {(steps[one], 0) for one in lanes}
    for one in sorted(rows, key=lambda one: (steps[one], one)):
        if one not in lanes:
            lane = max((lanes.get(parent, 0) for parent in parents[one][:1]), default=0) or 1
            while (steps[one], lane) in taken:
                lane += 1
            lanes[one] = lane
            taken.add((steps[one], lane))
    placed = changesets.with_columns(
        step=pl.col("changeset_id").replace_strict(steps, return_dtype=pl.Int64),
        lane=pl.col("changeset_id").replace_strict(lanes, return_dtype=pl.Int64),
    )
    edges = [
        (steps[parent], lanes[parent], steps[one], lanes[one])
        for one in rows
        for parent in parents[one]
    ]
    names = ["from_step", "from_lane", "step", "lane"]
    return placed, pl.DataFrame(edges, schema=dict.fromkeys(names, pl.Int64), orient="row")


def _steps(parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How far each changeset is from its farthest root; a circle is left where it closes."""
    steps: dict[str, int] = {}
    for start in sorted(parents):
        path = [] if start in steps else [start]
        on_path = {start}
        while path:
            known = parents[path[-1]]
            above = [one for one in known if one not in steps and one not in on_path]
            if above:
                path.append(above[0])
                on_path.add(above[0])
                continue
            last = path.pop()
            on_path.discard(last)
            steps[last] = max((steps[one] + 1 for one in known if one in steps), default=0)
    return steps


def head_at(
    repository: Repository, ref: str, moment: datetime, committed: Sequence[tuple[str, datetime]]
) -> str | None:
    """The head that a ref had at a moment: the last of its first-parent line made by then.

    Args:
        repository: the project.
        ref: the name of the ref.
        moment: naive UTC.
        committed: (changeset, when it was committed, naive UTC).

    Returns:
        The changeset, or None where the ref had none yet.

    Raises:
        HistoryError: the ref is unknown or its history can't be shown.
    """
    history = {one.changeset_id: one for one in history_at(repository, ref)}
    made = dict(committed)
    head: str | None = repository.refs[ref]
    while head is not None:
        if head in made and made[head] <= moment:
            return head
        parents = history[head].parent_ids
        head = parents[0] if parents else None
    return None
