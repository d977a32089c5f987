"""Hand a checked build to its readers: Parquet files, and one small file that names the build.

A reader follows `<home>/published/CURRENT` to a folder that never changes again, so a build
that runs or fails disturbs nobody.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from tamis.build import load_manifest, mart_columns
from tamis.errors import ENVIRONMENT, TamisError
from tamis.home import load_settings
from tamis.warehouse import connect

if TYPE_CHECKING:
    import polars as pl

CURRENT = "CURRENT"
DATABASE = "published.duckdb"


@dataclass(frozen=True)
class Published:
    """A published build: its folder, and the rows of every mart."""

    build_id: str
    folder: Path
    rows: dict[str, int]


def published_folder(home: Path) -> Path:
    """The folder of all published builds."""
    return home / "published"


def current_build_id(home: Path) -> str | None:
    """The build that readers read, or None before the first one."""
    pointer = published_folder(home) / CURRENT
    try:
        build_id = pointer.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise TamisError(f"can't read {pointer}: run `tamis publish` again") from error
    if not build_id or Path(build_id).name != build_id:
        raise TamisError(f"{pointer} names no build: run `tamis publish` again")
    return build_id


def current_folder(home: Path) -> Path | None:
    """Where the build that readers read should be, or None before the first one."""
    build_id = current_build_id(home)
    return published_folder(home) / build_id if build_id else None


def current_build(home: Path) -> Path:
    """The folder of the build that readers read.

    Raises:
        TamisError: exit 3 where nothing is published, or the named build is gone.
    """
    folder = current_folder(home)
    if folder is None:
        raise TamisError(f"nothing is published in {home}: run `tamis run` first", ENVIRONMENT)
    if not folder.is_dir():
        raise TamisError(f"{folder} is gone: run `tamis run` to publish again", ENVIRONMENT)
    return folder


def read_mart(published: Path, mart: str, columns: Sequence[str] | None = None) -> "pl.DataFrame":
    """Some columns of a published mart, or all of them.

    Raises:
        TamisError: exit 3 where the build has no such mart or column, or it can't be read.
    """
    import polars as pl

    try:
        return pl.read_parquet(
            published / f"{mart}.parquet", columns=None if columns is None else list(columns)
        )
    except (OSError, pl.exceptions.PolarsError) as error:
        raise unreadable(published, mart) from error


def unreadable(published: Path, mart: str) -> TamisError:
    """The error of a mart that can't be read, or is none of this version's."""
    path = published / f"{mart}.parquet"
    return TamisError(
        f"can't read the published {mart} {path}: run `tamis run` to publish again", ENVIRONMENT
    )


def publish(home: Path, build_id: str) -> Published:
    """Write every mart of the warehouse as Parquet, then point readers to it.

    Rows are written in the order of their key, so that equal builds are equal files. A folder
    that is already there was written whole, and readers may be in it: it stays as it is, but for
    an index of another encoder. CURRENT moves only when all is written.

    Args:
        home: the home folder.
        build_id: names the build's folder.
    """
    root = published_folder(home)
    folder = root / build_id
    # Readers of CURRENT need no index, and wait for none of its libraries.
    from tamis.recall.encoders import chosen_encoder
    from tamis.recall.published import index, is_indexed

    encoder = chosen_encoder(load_settings(home).recall_encoder)
    if (folder / DATABASE).is_file():
        if not is_indexed(folder, encoder):
            index(folder, folder, encoder)
        point_to(root, build_id)
        return Published(build_id, folder, published_rows(folder))
    root.mkdir(mode=0o700, exist_ok=True)
    for leftover in root.glob(".writing-*"):
        shutil.rmtree(leftover)
    writing = root / f".writing-{build_id}"
    writing.mkdir(mode=0o700)
    marts = mart_columns(load_manifest(home))
    warehouse = connect(home, read_only=True)
    try:
        for table, columns in marts.items():
            path = writing / f"{mart_name(table)}.parquet"
            selected = f"(select * from {table} order by {columns[0]})"
            warehouse.execute(f"copy {selected} to '{quoted(path)}' (format parquet, codec zstd)")
            path.chmod(0o600)
    finally:
        warehouse.close()
    index(writing, _earlier(home), encoder)
    for path in sorted(writing.rglob("*")):
        sync(path)
    shutil.rmtree(folder, ignore_errors=True)
    writing.rename(folder)
    write_views(folder)
    point_to(root, build_id)
    return Published(build_id, folder, published_rows(folder))


def _earlier(home: Path) -> Path | None:
    """The build before, whose index saves work; a broken pointer is about to be put right."""
    try:
        return current_folder(home)
    except TamisError:
        return None


# What ended is told from what was known to have ended; what ended at an unknown time is not known
# to have held at any.
FACTS_AS_OF = """
    create macro facts_as_of(held_at := null, known_at := null) as table
    with
        known as (
            select
                *,
                not is_current
                and coalesce(expired_at <= known_at::timestamp, true) as has_ended
            from facts
            where coalesce(recorded_at <= known_at::timestamp, true)
        )
    select
        * exclude (has_ended)
        replace (
            case when has_ended then t_invalid end as t_invalid,
            case when has_ended then expired_at end as expired_at,
            case when has_ended then superseded_by end as superseded_by,
            not has_ended as is_current
        )
    from known
    where
        case
            when held_at is null
            then not has_ended
            else
                coalesce(t_valid <= held_at::timestamp, true)
                and (not has_ended or coalesce(t_invalid > held_at::timestamp, false))
        end
"""


def write_views(folder: Path) -> None:
    """A DuckDB file of views over a folder's Parquet files, for any SQL client.

    It also holds the table macro `facts_as_of(held_at, known_at)`: the facts that held in the world
    at one instant, as far as tamis knew at another. Both are now by default.
    """
    database = folder / DATABASE
    connection = duckdb.connect(str(database))
    try:
        for path in sorted(folder.glob("*.parquet")):
            source = f"read_parquet('{quoted(path)}')"
            connection.execute(f"create view {path.stem} as select * from {source}")
        connection.execute(FACTS_AS_OF)
    finally:
        connection.close()
    database.chmod(0o600)


def point_to(root: Path, build_id: str) -> None:
    """Make a build the current one by an atomic rename."""
    pointer = root / f"{CURRENT}.new"
    pointer.write_text(build_id + "\n")
    sync(pointer)
    pointer.replace(root / CURRENT)
    sync(root)


def sync(path: Path) -> None:
    """Have the operating system write a file or folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def mart_name(table: str) -> str:
    """`marts.facts` as `facts`."""
    return table.split(".")[1]


def published_rows(folder: Path) -> dict[str, int]:
    """How many rows each mart of a published build has."""
    connection = duckdb.connect()
    try:
        counts = connection.execute(
            f"select file_name, num_rows from parquet_file_metadata('{quoted(folder)}/*.parquet')"
        ).fetchall()
    finally:
        connection.close()
    return {Path(name).stem: int(rows) for name, rows in counts}


def quoted(text: Path | str) -> str:
    """A path or a name inside a SQL text literal."""
    return str(text).replace("'", "''")
