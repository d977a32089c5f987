"""Published marts as frames; a published folder never changes, so what was read is kept."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import polars as pl

from tamis.publish import read_mart


def mart(published: Path, name: str, columns: Sequence[str]) -> pl.DataFrame:
    """Some columns of a mart.

    Raises:
        TamisError: exit 3 where the build has no such mart or column, or it can't be read.
    """
    return kept(published, name, tuple(columns))


@lru_cache(maxsize=16)
def kept(published: Path, name: str, columns: tuple[str, ...]) -> pl.DataFrame:
    """The same, read once."""
    return read_mart(published, name, columns)
