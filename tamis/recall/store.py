"""Facts that can be searched: those of a published build, or plain rows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tamis.publish import read_mart, unreadable
from tamis.recall.index_files import Index, build_index, read_index
from tamis.session_keys import named_agent

if TYPE_CHECKING:
    from tamis.recall.search import Query

UNKNOWN_PROJECT = "unknown-project"
_REMEMBERED_SCOPES = 64
# What a build of any version says of its facts.
_LEAST_COLUMNS = {"fact_id", "text", "namespace", "is_current"}

_COLUMNS: dict[str, tuple[pl.DataType | type[pl.DataType], Any]] = {
    "fact_id": (pl.String, None),
    "text": (pl.String, ""),
    "namespace": (pl.String, "default"),
    "agent_id": (pl.String, None),
    "project_key": (pl.String, UNKNOWN_PROJECT),
    "worktree": (pl.String, None),
    "t_valid": (pl.Datetime("us"), None),
    "t_invalid": (pl.Datetime("us"), None),
    "recorded_at": (pl.Datetime("us"), None),
    "expired_at": (pl.Datetime("us"), None),
    "is_current": (pl.Boolean, True),
    "fact_type": (pl.String, None),
    "salience": (pl.Int64, None),
    "source_system": (pl.String, None),
    "source_session_id": (pl.String, None),
    "capture_count": (pl.Int64, 1),
}


class Store:
    """Facts and what is known about their words, vectors, neighbours and near duplicates.

    Attributes:
        facts: one row per fact; a fact's position is its row.
        index: arrays about them, by position.
    """

    def __init__(self, facts: pl.DataFrame, index: Index) -> None:
        self.facts = facts
        self.index = index
        self._scopes: dict[tuple[Any, ...], npt.NDArray[np.bool_]] = {}

    @classmethod
    def open(cls, published: Path, encoder: str | None = None) -> "Store":
        """The facts of a published build, by its index; without one it is built in memory.

        Args:
            published: the folder of one published build.
            encoder: the model that the vectors are to be of; None takes those of the index.

        Raises:
            TamisError: exit 3 where the build holds no readable facts.
        """
        found = read_index(published)
        if found is not None and encoder in (None, found[1].encoder):
            return cls(*found)
        return cls.from_rows(
            read_facts(published), read_near_duplicates(published), encoder=encoder
        )

    @classmethod
    def from_rows(
        cls,
        facts: pl.DataFrame | Iterable[Mapping[str, Any]],
        near_duplicates: pl.DataFrame | None = None,
        *,
        encoder: str | None = None,
    ) -> "Store":
        """Rows with at least a fact_id and a text, indexed in memory.

        Args:
            facts: other columns are those of the mart facts; where one is missing, all are the
                user's own current facts of no known project or time.
            near_duplicates: rows of the mart of that name.
            encoder: the model that makes vectors of the texts; None for words alone.
        """
        frame = completed(facts)
        return cls(frame, build_index(frame, near_duplicates, encoder))

    def __len__(self) -> int:
        return self.facts.height

    @cached_property
    def salience(self) -> npt.NDArray[np.int64]:
        """How much each fact matters, 0 where nothing says so."""
        values: npt.NDArray[np.int64] = self.facts["salience"].fill_null(0).to_numpy()
        return values

    @cached_property
    def _ids(self) -> pl.Series:
        return self.facts["fact_id"]

    @cached_property
    def _members(self) -> dict[int, npt.NDArray[np.int64]]:
        grouped = np.flatnonzero(self.index.groups >= 0)
        numbers = self.index.groups[grouped]
        order = np.argsort(numbers, kind="stable")
        names, begins = np.unique(numbers[order], return_index=True)
        return {
            int(name): part
            for name, part in zip(names, np.split(grouped[order], begins[1:]), strict=True)
        }

    def members(self, group: int) -> npt.NDArray[np.int64]:
        """The positions of a group of near duplicates."""
        return self._members[group]

    def fact_ids(self, positions: Sequence[int] | npt.NDArray[Any]) -> list[str]:
        """The ids of the facts at positions."""
        return [self._ids[int(position)] for position in positions]

    def visible(self, query: "Query") -> npt.NDArray[np.bool_]:
        """Which facts a query may see: its namespace, project, worktree and time."""
        agent = named_agent(query.session_key) or query.agent
        scope = (
            *(query.everywhere, query.namespace, agent, query.project, query.only_projects),
            *(query.worktree, query.as_of, query.known_at),
        )
        known = self._scopes.get(scope)
        if known is not None:
            return known
        seen: npt.NDArray[np.bool_] = (
            self.facts.lazy()
            .select(_in_scope(query, agent).fill_null(False).alias("seen"))
            .collect()["seen"]
            .to_numpy()
        )
        if len(self._scopes) >= _REMEMBERED_SCOPES:
            self._scopes.clear()
        self._scopes[scope] = seen
        return seen

    def recency(
        self,
        positions: npt.NDArray[Any],
        visible: npt.NDArray[np.bool_],
        as_of: datetime | None,
        half_life_days: float,
    ) -> npt.NDArray[Any]:
        """How new facts are: 1 at the time that is asked for, half of it a half-life earlier.

        The time is ``as_of``, else that of the newest visible fact, and never the clock's: the
        same store gives the same answer tomorrow. Facts without a time have 0.
        """
        times = self.facts["t_valid"].gather(positions).dt.epoch("s").cast(pl.Float64).to_numpy()
        if as_of is not None:
            latest = as_of.replace(tzinfo=UTC).timestamp()
        else:
            seen = np.flatnonzero(visible)
            newest = seen[np.argmin(self.index.newest_first[seen])]
            moment = self.facts["t_valid"][int(newest)]
            latest = moment.replace(tzinfo=UTC).timestamp() if moment else 0.0
        ages = np.maximum(latest - times, 0) / 86_400
        return np.nan_to_num(0.5 ** (ages / half_life_days), nan=0.0)


def _in_scope(query: "Query", agent: str | None) -> pl.Expr:
    if query.everywhere:
        seen = pl.lit(True)
    elif query.namespace is not None:
        seen = pl.col("namespace") == query.namespace
    elif agent is not None:
        seen = pl.col("agent_id") == agent
    else:
        seen = pl.col("agent_id").is_null()
    if query.project is not None:
        seen &= pl.col("project_key").is_in([query.project, UNKNOWN_PROJECT])
    if query.only_projects:
        seen &= pl.col("project_key").is_in(query.only_projects)
    if query.worktree is not None:
        seen &= pl.col("worktree").is_null() | (pl.col("worktree") == query.worktree)
    return seen & _held(query.as_of, query.known_at)


def _held(as_of: datetime | None, known_at: datetime | None) -> pl.Expr:
    """Whether a fact held at a time, by what was known at another: `facts_as_of` of publish.py."""
    has_ended = ~pl.col("is_current")
    was_known = pl.lit(True)
    if known_at is not None:
        was_known = (pl.col("recorded_at") <= known_at).fill_null(True)
        has_ended &= (pl.col("expired_at") <= known_at).fill_null(True)
    if as_of is None:
        return was_known & ~has_ended
    had_begun = (pl.col("t_valid") <= as_of).fill_null(True)
    had_not_ended = (pl.col("t_invalid") > as_of).fill_null(False)
    return was_known & had_begun & (~has_ended | had_not_ended)


def completed(facts: pl.DataFrame | Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """The rows with all columns that a search reads, in their order."""
    if not isinstance(facts, pl.DataFrame):
        rows = [dict(row) for row in facts]
        kinds = {name: kind for name, (kind, _) in _COLUMNS.items()}
        names = dict.fromkeys(name for row in rows for name in row)
        facts = pl.DataFrame(
            rows, schema={name: kinds.get(name) for name in names} or kinds, strict=False
        )
    missing = [
        pl.lit(value, dtype=kind).alias(name)
        for name, (kind, value) in _COLUMNS.items()
        if name not in facts.columns and name not in ("fact_id", "text")
    ]
    return facts.with_columns(*missing, pl.col("text").fill_null(""))


def read_facts(published: Path) -> pl.DataFrame:
    """The facts of a published build, in the order in which they were said.

    Raises:
        TamisError: exit 3 where they can't be read.
    """
    facts = read_mart(published, "facts")
    if not set(facts.columns) >= _LEAST_COLUMNS:
        raise unreadable(published, "facts")
    facts = completed(facts)
    return facts.select(*_COLUMNS).sort("t_valid", "fact_id", nulls_last=True)


def read_near_duplicates(published: Path) -> pl.DataFrame | None:
    """The near duplicates of a published build, None for a build that has none of them.

    Raises:
        TamisError: exit 3 where they can't be read.
    """
    if not (published / "near_duplicates.parquet").exists():
        return None
    return read_mart(
        published, "near_duplicates", ["fact_id", "other_fact_id", "similarity_score", "guards"]
    )
