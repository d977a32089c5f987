"""Dream facts: a typed fact store in PostgreSQL, `memory.facts` with `memory.fact_corrections`."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from tamis.sources.source import Answer, Feed, Record, Source, Unreachable

if TYPE_CHECKING:
    from psycopg import Connection

TABLES = {
    "dream_facts__facts": "memory.facts",
    "dream_facts__corrections": "memory.fact_corrections",
}
CONNECT_SECONDS = 10
LOCK_MILLISECONDS = 30_000
ROWS_PER_BATCH = 2_000
# Vectors and search words are made from the text, are many times its size, and change with the
# model that makes them: they would land every row again.
DERIVED_TYPES = ("vector", "halfvec", "sparsevec", "tsvector")
COLUMNS = """
    select attribute.attname, array_position(key.indkey::int2[], attribute.attnum)
    from pg_attribute as attribute
    left join pg_index as key on key.indrelid = attribute.attrelid and key.indisprimary
    inner join pg_type as type on type.oid = attribute.atttypid
    where
        attribute.attrelid = to_regclass(%s)
        and attribute.attnum > 0
        and not attribute.attisdropped
        and type.typname <> all(%s)
    order by attribute.attnum
"""


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """None: it is a service."""
    return []


def recognise(path: Path, head: bytes) -> Answer | None:
    """No file is one of its."""
    return None


def addresses(environ: Mapping[str, str]) -> list[str]:
    """The database that `TAMIS_DREAM_FACTS_URL` names."""
    address = environ.get("TAMIS_DREAM_FACTS_URL", "").strip()
    return [address] if address else []


def fetch(address: str, environ: Mapping[str, str]) -> Iterator[Record]:
    """The rows of both tables as of one moment, as JSON texts that PostgreSQL writes.

    Args:
        address: `postgresql://user@host:port/database`, as libpq takes it.
        environ: unused; libpq finds a password that the address lacks in its own places.

    Raises:
        Unreachable: without the client library, a connection or the table of facts.
    """
    try:
        import psycopg
    except ImportError:
        raise Unreachable(
            "reading PostgreSQL needs a client library: pip install 'tamis[postgres]'"
        ) from None
    try:
        given = psycopg.conninfo.conninfo_to_dict(address, application_name="tamis")
        given.setdefault("connect_timeout", CONNECT_SECONDS)
        with psycopg.connect(psycopg.conninfo.make_conninfo("", **given)) as connection:
            yield from rows_of_tables(connection)
    except (psycopg.Error, ValueError) as error:
        raise Unreachable(said_safely(error, address)) from None


def rows_of_tables(connection: "Connection[Any]") -> Iterator[Record]:
    """The rows of the tables that there are, all of them from one snapshot."""
    from psycopg import IsolationLevel

    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    # What a time looks like in JSON must not hang on who asks.
    connection.execute("set local timezone to 'UTC'")
    connection.execute(f"set local lock_timeout to {LOCK_MILLISECONDS}")
    columns = {
        entity: connection.execute(COLUMNS, [table, list(DERIVED_TYPES)]).fetchall()
        for entity, table in TABLES.items()
    }
    if not columns["dream_facts__facts"]:
        raise Unreachable(f"it has no table {TABLES['dream_facts__facts']}")
    for entity, table in TABLES.items():
        if columns[entity]:
            yield from rows_of(connection, entity, table, columns[entity])


def rows_of(
    connection: "Connection[Any]", entity: str, table: str, columns: list[tuple[str, int | None]]
) -> Iterator[Record]:
    """The rows of one table in the order of their keys, through a cursor that the server keeps."""
    from psycopg import sql

    names = [name for name, _ in columns]
    placed = sorted((place, name) for name, place in columns if place is not None)
    keys = [name for _, name in placed] or [name for name in names if name == "id"]
    # `to_jsonb` would sort the columns and fail on a NUL escape in a column of JSON text.
    query = sql.SQL(
        "select {key}, row_to_json(picked)::text from (select {names} from {table}) as picked"
    ).format(
        key=key_text(keys),
        names=sql.SQL(", ").join(map(sql.Identifier, names)),
        table=sql.Identifier(*table.split(".")),
    )
    if keys:
        order = sql.SQL(", ").join(map(sql.Identifier, keys))
        query = sql.Composed([query, sql.SQL(" order by "), order])
    with connection.cursor(entity) as cursor:
        cursor.itersize = ROWS_PER_BATCH
        for key, payload in cursor.execute(query):
            yield Record(entity, f"{table}/{key}", payload)


def key_text(keys: list[str]) -> Any:
    """SQL for what tells a row from the others: its key, else what it holds."""
    from psycopg import sql

    if not keys:
        return sql.SQL("md5(row_to_json(picked)::text)")
    parts = sql.SQL(", ").join(
        sql.SQL("coalesce({}::text, '')").format(sql.Identifier(key)) for key in keys
    )
    return sql.SQL("concat_ws('/', {})").format(parts)


def said_safely(error: Exception, address: str) -> str:
    """The first line of what the driver says, unless it quotes a part of a password."""
    line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    after_scheme = address.partition("://")[2]
    secrets = [after_scheme.rpartition("@")[0].partition(":")[2]]
    secrets += parse_qs(after_scheme.partition("?")[2]).get("password", [])
    pieces = {piece for secret in secrets for piece in re.split(r"[^\w]+", secret)}
    pieces |= {form for secret in secrets for form in (secret, unquote(secret))}
    if any(piece in line for piece in pieces if piece):
        return "it can't be reached: the driver's reason would show a part of the password"
    return line.removeprefix("connection failed: ")


DREAM_FACTS = Source(
    name="dream_facts",
    entities=tuple(TABLES),
    roots=roots,
    recognise=recognise,
    feed=Feed(schemes=("postgresql", "postgres"), addresses=addresses, fetch=fetch),
)
