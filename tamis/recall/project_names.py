"""A project by any of its names: its key, or an old short name that only one project bears."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from tamis.errors import USAGE, TamisError


def project_key(published: Path, name: str, namespaces: Collection[str]) -> str:
    """The key of the project that a name means in some namespaces.

    Args:
        published: the folder of one published build.
        name: a project's key, or a name that the mart of projects lists for one.
        namespaces: those that are searched.

    Returns:
        The key; the name itself where no project bears it.

    Raises:
        TamisError: exit 2 where several projects bear the name; the message lists their keys.
    """
    path = published / "projects.parquet"
    if not path.exists():
        return name
    projects = pl.read_parquet(path)
    if "names" not in projects.columns or name in projects["project_key"]:
        return name
    bearers = projects.filter(
        pl.col("namespace").is_in(list(namespaces)) & pl.col("names").list.contains(name)
    )
    keys = sorted(set(bearers["project_key"]))
    if len(keys) > 1:
        raise TamisError(
            f"{name} names {len(keys)} projects: ask for one of {', '.join(keys)}", USAGE
        )
    return keys[0] if keys else name
