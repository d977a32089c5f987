"""Published marts as frames; a published folder never changes, so what was read is kept."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import polars as pl

from tamis.errors import TamisError


def mart(published: Path, name: str, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns of a mart.

    Raises:
        TamisError: exit 3 where the build has no such mart or column, or it can't be read.
    """
    return scanned(published / f"{name}.parquet", tuple(columns))


@lru_cache(maxsize=16)
def scanned(path: Path, columns: tuple[str, ...]) -> pl.DataFrame:
    """Some columns of a Parquet file."""
    try:
        return pl.read_parquet(path, columns=list(columns))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TamisError(
            f"can't read what was published as {path}: run `tamis run` to publish again"
        ) from error
