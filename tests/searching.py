"""What tests of retrieval and of its index say of facts and of what was found."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from tamis.recall.search import Hit, Settings

WORDS_ONLY = Settings(dense=False, neighbours=False, dates=False, slots=False)
PAIR_SCHEMA = {
    "fact_id": pl.String,
    "other_fact_id": pl.String,
    "similarity_score": pl.Float64,
    "guards": pl.List(pl.String),
}


def ids(hits: Sequence[Hit]) -> list[str]:
    """The facts that were found, best first."""
    return [hit.fact_id for hit in hits]


def pairs(*rows: tuple[str, str, float, list[str]]) -> pl.DataFrame:
    """Rows of near_duplicates: both facts, how alike they are, and their guards."""
    return pl.DataFrame(rows, schema=PAIR_SCHEMA, orient="row")


def apart(*facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Facts of one session each, so that none has a neighbour."""
    return [one | {"source_session_id": f"s-{one['fact_id']}"} for one in facts]
