"""What tables a SQLite file defines, read from its pages; SQLite itself never opens the file.

The pages that hold the definitions stand anywhere in a file: SQLite moves them to its end when
tables are added. Looking for a name in the first bytes finds it in small files only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

SQLITE_MAGIC = b"SQLite format 3\x00"
HEADER_BYTES = 100
INTERIOR, LEAF = 5, 13
# A definition is a row of kind, name and name again, the page of the data, and the statement.
DEFINITION = re.compile(rb"table(\w{1,64}?)\1.{0,9}CREATE TABLE", re.DOTALL)
# Bounds for broken and hostile files; a thousand tables stand on some 200 pages.
MOST_PAGES = 1_000


@dataclass(frozen=True)
class Schema:
    """The tables of a file.

    Attributes:
        tables: their names.
        text: the pages that define them, where the names of columns stand.
    """

    tables: frozenset[str]
    text: bytes

    def defines(self, tables: set[str], *words: str) -> bool:
        """Whether all of the tables are there, and all of the words in some definition."""
        return tables <= self.tables and all(word.encode() in self.text for word in words)


def read_schema(path: Path, head: bytes) -> Schema | None:
    """The tables that the file itself defines; those that only its -wal holds are missing.

    Args:
        path: the file, of which only the pages of definitions are read.
        head: its first bytes.

    Returns:
        None when it is no SQLite file or can't be read.
    """
    if not head.startswith(SQLITE_MAGIC):
        return None
    try:
        with path.open("rb") as file:
            text = b"\n".join(leaves(file))
    except OSError:
        return None
    return Schema(frozenset(name.decode() for name in DEFINITION.findall(text)), text)


def leaves(file: BinaryIO) -> Iterator[bytes]:
    """The leaf pages of the tree of definitions, whose root is the first page."""
    header = file.read(HEADER_BYTES)
    # 1 stands for 65,536, which 16 bits can't hold.
    size = int.from_bytes(header[16:18], "big")
    size = 65_536 if size == 1 else size
    if len(header) < HEADER_BYTES or size < 512:
        return
    wanted, seen = [1], {0}
    while wanted and len(seen) <= MOST_PAGES:
        number = wanted.pop()
        if number in seen:
            continue
        seen.add(number)
        file.seek((number - 1) * size)
        page = file.read(size)
        start = HEADER_BYTES if number == 1 else 0
        kind = page[start : start + 1]
        if kind == bytes([LEAF]):
            yield page
        elif kind == bytes([INTERIOR]):
            wanted += children(page, start)


def children(page: bytes, start: int) -> list[int]:
    """The numbers of the pages below an interior page whose header begins at `start`."""
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    places = [
        int.from_bytes(page[place : place + 2], "big")
        for place in range(start + 12, min(start + 12 + 2 * count, len(page)), 2)
    ]
    places.append(start + 8)
    return [int.from_bytes(page[place : place + 4], "big") for place in places]
