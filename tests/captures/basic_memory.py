"""An index before a note was moved, after it, and after the note was edited."""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

FIRST_MOMENT = 1_780_000_000
HOUR = 3600
SCHEMA = """
create table project (
    id integer primary key, name varchar not null, permalink varchar not null,
    path varchar not null, is_active boolean, last_scan_timestamp float, updated_at datetime
);
create table entity (
    id integer primary key, external_id varchar not null, title varchar not null,
    note_type varchar not null, entity_metadata json, content_type varchar not null,
    project_id integer not null references project (id), permalink varchar,
    file_path varchar not null, checksum varchar, mtime float, size integer,
    created_at datetime not null, updated_at datetime not null
);
create table observation (
    id integer primary key, project_id integer, entity_id integer not null references entity (id),
    content text not null, category varchar not null default 'note', context text,
    tags json default '[]'
);
create table relation (
    id integer primary key, project_id integer, from_id integer not null references entity (id),
    to_id integer references entity (id), to_name varchar not null,
    relation_type varchar not null, context text, generation bigint not null default 0
);
create table note_content (
    entity_id integer primary key references entity (id), project_id integer not null,
    external_id varchar not null, file_path varchar not null, markdown_content text not null,
    db_version bigint not null, file_write_status varchar not null default 'synced'
);
"""
WARP = "The warp has 480 threads"
WEFT = "The weft is dyed with madder"
LOOM = "The loom was built in Ghent"
NEW_WARP = "The warp has 520 threads"


def index(
    file: Path,
    observations: Iterable[str],
    *,
    path: str = "notes/loom.md",
    permalink: str = "notes/loom",
    external_id: str = "00000000-0000-4000-8000-00000000000a",
    minute: int = 0,
    first_row: int = 1,
    modified: int = FIRST_MOMENT,
) -> None:
    """An index of one project with one note; every sync numbers the observations anew."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    observations = list(observations)
    connection = sqlite3.connect(file)
    connection.executescript(SCHEMA)
    connection.execute(
        "insert into project values (1, 'weaving', 'weaving', '/srv/weaving', 1, ?, 'x')",
        (modified,),
    )
    connection.execute(
        "insert into entity values (7, ?, 'Loom', 'note', null, 'text/markdown', 1, ?, ?,"
        " 'sum', 1.0, 1, '2026-05-04 08:00:00', ?)",
        (external_id, permalink, path, f"2026-05-04 09:{minute:02}:00+00:00"),
    )
    connection.executemany(
        "insert into observation values (?, 1, 7, ?, 'fact', null, '[\"cloth\"]')",
        [(first_row + number, text) for number, text in enumerate(observations)],
    )
    connection.execute(
        "insert into relation values (?, 1, 7, null, 'Dye house', 'supplied by', null, 0)",
        (first_row,),
    )
    text = "# Loom\n\n" + "\n".join(f"- [fact] {one} #cloth" for one in observations)
    connection.execute(
        "insert into note_content values (7, 1, ?, ?, ?, 1, 'synced')", (external_id, path, text)
    )
    connection.commit()
    connection.close()
    os.utime(file, (modified, modified))


def write(folder: Path) -> None:
    """Four backups of one index; in the last one the note was taken for a new one."""
    index(folder / "0/memory.db", [WARP, WEFT, LOOM])
    moved = {"path": "archive/loom.md", "permalink": "archive/loom"}
    index(
        folder / "1/memory.db",
        [WARP, WEFT, LOOM],
        **moved,
        first_row=4,
        modified=FIRST_MOMENT + HOUR,
    )
    index(
        folder / "2/memory.db",
        [NEW_WARP, WEFT],
        **moved,
        minute=30,
        first_row=7,
        modified=FIRST_MOMENT + 2 * HOUR,
    )
    index(
        folder / "3/memory.db",
        [NEW_WARP, WEFT, LOOM],
        **moved,
        external_id="00000000-0000-4000-8000-00000000000b",
        minute=45,
        modified=FIRST_MOMENT + 3 * HOUR,
    )
