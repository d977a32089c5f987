"""The recency window: which rows of a store that compares with its last rows only it would keep.

Whether a row is stored depends on which were stored before it, so no window of SQL can say it.
"""

from collections.abc import Iterable, Sequence

import duckdb

FUNCTION = "stored_in_window"


def stored_in_window(
    keys: Sequence[str], always_stored: Iterable[bool], window_size: int
) -> list[bool]:
    """Whether each row is stored: where its key is not among the last stored rows.

    Args:
        keys: what the rows are compared by, in the order in which they came.
        always_stored: rows that are stored whatever was before them; later ones still meet them.
        window_size: how many of the last stored rows a row is compared with. A row that is not
            stored takes no place among them and refreshes nothing.
    """
    last_places: dict[str, int] = {}
    stored_count = 0
    answers: list[bool] = []
    for key, is_always_stored in zip(keys, always_stored, strict=True):
        place = last_places.get(key)
        is_stored = is_always_stored or place is None or stored_count - place >= window_size
        if is_stored:
            stored_count += 1
            last_places[key] = stored_count
        answers.append(is_stored)
    return answers


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the function known to SQL."""
    kinds = duckdb.list_type("varchar"), duckdb.list_type("boolean"), "integer"
    connection.create_function(FUNCTION, stored_in_window, list(kinds), duckdb.list_type("boolean"))
