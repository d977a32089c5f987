"""Tables of SQLite as raw records: every kind of table, value and row, and broken ones."""

import json
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

from tamis.landing.sqlite_copy import PAGE_BYTES, ROWS_PER_PAGE, Unreadable, read_tables
from tamis.sources.source import Nested, Table


def rows_of(
    database: Path, table: str, *packed: str
) -> tuple[list[str], list[int], list[dict[str, object]]]:
    """Containers, positions and parsed payloads of a table."""
    containers: list[str] = []
    positions: list[int] = []
    payloads: list[dict[str, object]] = []
    for _, batches in read_tables(database, [Table("entity", table, packed=packed)], None):
        for rows in batches:
            containers += rows.containers.to_pylist()
            positions += rows.positions.tolist()
            payloads += [json.loads(line) for line in rows.lines.splitlines()]
    return containers, positions, payloads


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "some.sqlite"


def write(database: Path, *statements: str) -> None:
    with sqlite3.connect(database) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_key_of_two_columns_is_both_and_its_last_number_the_position(database: Path) -> None:
    write(
        database,
        "create table t (session text, seq integer, x text, primary key (session, seq))",
        "insert into t values ('b', 7, 'one'), ('a\nb', 3, 'two'), (null, null, 'three')",
    )
    containers, positions, payloads = rows_of(database, "t")
    assert containers == ["t/b/7", "t/a\nb/3", "t//"]
    assert positions == [7, 3, 2]
    assert [row["x"] for row in payloads] == ["one", "two", "three"]


def test_a_table_without_row_numbers_is_read_in_key_order(database: Path) -> None:
    write(
        database,
        "create table t (k text primary key, x text) without rowid",
        "insert into t values ('b', 'two'), ('a', 'one')",
    )
    assert rows_of(database, "t") == (
        ["t/a", "t/b"],
        [0, 1],
        [{"k": "a", "x": "one"}, {"k": "b", "x": "two"}],
    )


def test_a_column_may_be_called_like_the_row_number(database: Path) -> None:
    write(
        database,
        "create table t (rowid text, x text)",
        "insert into t values ('same', 'one'), ('same', 'two')",
    )
    containers, positions, payloads = rows_of(database, "t")
    assert [row["x"] for row in payloads] == ["one", "two"]
    assert (len(containers), positions) == (2, [0, 1])


def test_every_value_stays_what_it_is(database: Path) -> None:
    write(
        database,
        "create table t (id integer primary key, a, b, c, d, e, f)",
        "insert into t values"
        " (1, 1.5, 9e999, -9e999, x'00ff', 'a\"b' || char(10) || char(0), null)",
    )
    assert rows_of(database, "t")[2] == [
        {"id": 1, "a": 1.5, "b": "Inf", "c": "-Inf", "d": "00FF", "e": 'a"b\n\0', "f": None}
    ]


def test_more_columns_than_a_function_takes(database: Path) -> None:
    names = [f"c{number}" for number in range(150)]
    write(
        database,
        f"create table t ({', '.join(names)})",
        f"insert into t values ({', '.join(str(number) for number in range(150))})",
    )
    assert rows_of(database, "t")[2] == [dict(zip(names, range(150), strict=True))]


def test_pages_lose_no_row_and_follow_the_length_of_rows(database: Path) -> None:
    count = 3 * ROWS_PER_PAGE + 1
    long = PAGE_BYTES + 1
    with sqlite3.connect(database) as connection:
        connection.execute("create table t (id integer primary key, x text)")
        connection.executemany(
            "insert into t values (?, ?)", ((2 * number, "x") for number in range(count))
        )
        connection.executemany("insert into t values (?, ?)", [(-5, "y" * long), (-1, "z" * long)])
        connection.executemany(
            "insert into t values (?, ?)",
            ((2 * count + number, "w" * long) for number in range(9)),
        )
    connection.close()
    pages = [
        rows
        for _, batches in read_tables(database, [Table("entity", "t")], None)
        for rows in batches
    ]
    positions = [position for rows in pages for position in rows.positions.tolist()]
    expected = [-5, -1, *range(0, 2 * count, 2), *range(2 * count, 2 * count + 9)]
    assert positions == expected
    assert max(len(rows.positions) for rows in pages) == ROWS_PER_PAGE
    assert max(len(rows.lines) for rows in pages) < 64 << 20


def test_packed_texts_are_unpacked_and_other_blobs_stay(database: Path) -> None:
    text = '{"type":"message","text":"größer"}\n{"torn'
    zstd = pa.Codec("zstd").compress(text.encode()).to_pybytes()
    with sqlite3.connect(database) as connection:
        connection.execute("create table t (id integer primary key, x blob, other blob)")
        connection.executemany(
            "insert into t values (?, ?, ?)",
            [
                (1, zstd, zstd),
                (2, text.encode(), b"ab"),
                (3, zstd[:20], None),
                (4, b"\xff\xfe", None),
                (5, "a text", None),
                (6, None, None),
            ],
        )
    connection.close()
    payloads = rows_of(database, "t", "x")[2]
    assert [row["x"] for row in payloads] == [
        text,
        text,
        zstd[:20].hex().upper(),
        "FFFE",
        "a text",
        None,
    ]
    assert [row["other"] for row in payloads][:2] == [zstd.hex().upper(), "6162"]


def test_a_page_that_is_broken_further_in_is_one_line(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("create table t (id integer primary key, x text)")
        connection.executemany("insert into t (x) values (?)", [["text " * 100]] * 2_000)
    connection.close()
    data = bytearray(database.read_bytes())
    data[200_000:600_000] = b"\xa5" * 400_000
    database.write_bytes(data)
    with pytest.raises(Unreadable, match="SQLite can't read it: database disk image is malformed"):
        rows_of(database, "t")


def test_definitions_of_garbage_are_one_line(database: Path) -> None:
    write(database, "create table t (id integer)")
    data = database.read_bytes().replace(b"CREATE TABLE t", b"CREATE \xff\x9c t")
    database.write_bytes(data)
    with pytest.raises(Unreadable, match="SQLite can't read it: its definitions are no text"):
        rows_of(database, "t")


@pytest.mark.parametrize(
    "statement",
    [
        "create table part (of integer, x text, primary key (of, x)) without rowid",
        "create view part as select 1 as of, 'b' as x union all select 1, 'a'",
    ],
)
def test_rows_without_numbers_are_nested_too(database: Path, statement: str) -> None:
    write(database, "create table t (id integer)", "insert into t values (1)", statement)
    if "view" not in statement:
        write(database, "insert into part values (1, 'b'), (1, 'a')")
    nested = Nested("part", "of", "id", ("x",))
    tables = [Table("entity", "t", nested=(nested,))]
    [rows] = [rows for _, batches in read_tables(database, tables, None) for rows in batches]
    assert json.loads(rows.lines)["part"] == [{"x": "a"}, {"x": "b"}]


def test_a_view_in_the_place_of_a_table_gives_its_rows(database: Path) -> None:
    write(database, "create view t as select 'a' as x union all select 'b'")
    assert rows_of(database, "t")[2] == [{"x": "a"}, {"x": "b"}]
