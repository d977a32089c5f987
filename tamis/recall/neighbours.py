"""What was said next to a fact in its session."""

import numpy as np
import numpy.typing as npt
import polars as pl

Integers = npt.NDArray[np.int32]

SESSION = ["source_system", "source_session_id", "namespace"]


def neighbours(facts: pl.DataFrame) -> tuple[Integers, Integers]:
    """The position of the fact said before each one, and after it; -1 where there is none.

    Facts of no session have no neighbours. Within a session they stand by valid time, then as
    they are given.
    """
    before = np.full(facts.height, -1, dtype=np.int32)
    after = before.copy()
    ordered = (
        facts.select(*SESSION, "t_valid")
        .with_row_index("place")
        .filter(pl.col("source_session_id").is_not_null())
        .sort(*SESSION, "t_valid", "place", nulls_last=True)
        .with_columns(is_same=pl.struct(SESSION) == pl.struct(SESSION).shift(1))
    )
    places = ordered["place"].to_numpy().astype(np.int32)
    later = np.flatnonzero(ordered["is_same"].fill_null(False).to_numpy())
    later = later[later > 0]
    before[places[later]] = places[later - 1]
    after[places[later - 1]] = places[later]
    return before, after
