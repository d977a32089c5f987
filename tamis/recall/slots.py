"""Facts that nearly agree take one slot of an answer; none of them is removed."""

from collections import defaultdict

import numpy as np
import numpy.typing as npt
import polars as pl

Integers = npt.NDArray[np.int32]


def slot_groups(fact_ids: pl.Series, near_duplicates: pl.DataFrame | None) -> Integers:
    """A group number for each position, -1 for a fact that stands alone.

    Pairs without guards join their facts, the most alike first. A join is left out where a fact
    of the one side and one of the other are a guarded pair: they differ in a number, a date, a
    version, a path or a negation, and both are to be seen.
    """
    groups = np.full(len(fact_ids), -1, dtype=np.int32)
    if near_duplicates is None or near_duplicates.is_empty():
        return groups
    places = pl.DataFrame({"fact_id": fact_ids}).with_row_index("place")
    others = places.rename({"fact_id": "other_fact_id", "place": "other_place"})
    pairs = (
        near_duplicates.join(places, on="fact_id")
        .join(others, on="other_fact_id")
        .with_columns(is_guarded=pl.col("guards").list.len() > 0)
        .sort("similarity_score", "fact_id", "other_fact_id", descending=[True, False, False])
        .select("place", "other_place", "is_guarded")
    )
    members: dict[int, set[int]] = {}
    apart: dict[int, set[int]] = defaultdict(set)
    for place, other, is_guarded in pairs.iter_rows():
        if is_guarded:
            apart[place].add(other)
            apart[other].add(place)
    for place, other, is_guarded in pairs.iter_rows():
        if is_guarded:
            continue
        one, two = members.get(place, {place}), members.get(other, {other})
        few, many = sorted((one, two), key=len)
        if few is many or any(apart[member] & many for member in few if member in apart):
            continue
        many |= few
        for member in many if len(many) == 2 else few:
            members[member] = many
    for place, joined in members.items():
        groups[place] = min(joined)
    return groups
