"""hive-mind's captures: a mind with its archive, and a later copy in which a subject is erased."""

import json
import sqlite3
from pathlib import Path

TABLES = """
    create table sessions (id integer primary key, gop_id text, project_id text, status text,
        started_at text, ended_at text, summary text);
    create table memory_frames (id integer primary key, frame_type text, gop_id text, t integer,
        base_frame_id integer, content text, importance text, source text, access_count integer,
        created_at text, last_accessed text, content_hash text, metadata text);
    create table raw_archive (id integer primary key, archive_uid text, source text,
        source_ref text, title text, content text, content_sha256 text,
        injection_flagged integer, source_timestamp text, created_at text, erased_at text,
        erased_reason text);
    create table erased_subjects (id integer primary key, source text, source_ref text,
        erased_at text, reason text);
"""
KEPT, BLANKED = "a" * 64, "b" * 64
AT = "2026-06-06 09:00:00"
FRAMES = [
    (1, "I", None, "The greenhouse opens at nine", "normal", {"archiveUids": [KEPT]}),
    (2, "I", None, "Her greenhouse badge is green", "normal", {"archiveUids": [BLANKED]}),
    (3, "I", None, "[Harvest:chat] Badges\n\nA note of her badge", "normal", {"sourceId": "t 9"}),
    (4, "I", None, "[mind-rawturn conv:chat-t-9 turn:0 speaker:user]\nI am Bo", "normal", {}),
    (5, "I", None, "[mind-rawturn conv:chat-t-91 turn:0 speaker:user]\nWater on Monday", "", {}),
    (6, "I", None, "The old pump feeds bed two", "deprecated", {}),
    (7, "P", 1, "On Sunday it opens at ten", "normal", {}),
    (8, "B", 1, '{"description": "Opening hours of the greenhouse", "references": [7]}', "", {}),
]
ARCHIVE = [
    (1, KEPT, "chat", "t 1", "Hours", "The greenhouse opens at nine", 0, None),
    (2, BLANKED, "chat", "t 9", "Badges", "Her greenhouse badge is green, says the desk", 1, None),
]


def write_mind(path: Path, *, is_erased: bool) -> None:
    """A mind before or after the subject (chat, t 9) was erased."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frames = [frame for frame in FRAMES if not is_erased or frame[0] not in (2, 3, 4)]
    archive = [item for item in ARCHIVE if not is_erased or item[0] != 2]
    if is_erased:
        archive.append((2, "c" * 64, "chat", "t 9", None, "[blanked]", 1, "2026-06-07 10:00:00"))
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
        connection.execute(
            "insert into sessions values (1, 'gop-1', 'greenhouse', 'active', ?, null, null)", [AT]
        )
        connection.executemany(
            "insert into memory_frames values (?, ?, 'gop-1', 0, ?, ?, ?, 'import', 0, ?, ?,"
            " null, ?)",
            [(*frame[:5], AT, AT, json.dumps(frame[5])) for frame in frames],
        )
        connection.executemany(
            "insert into raw_archive values (?, ?, ?, ?, ?, ?, 'x', ?, null, ?, ?, null)",
            [(*item[:7], AT, item[7]) for item in archive],
        )
        if is_erased:
            connection.execute(
                "insert into erased_subjects values (1, 'chat', 't 9', ?, 'asked to')",
                ["2026-06-07 10:00:00"],
            )
    connection.close()


def write(folder: Path) -> None:
    """The later copy comes first in the order of names: erased stays erased."""
    write_mind(folder / "a/workspace.mind", is_erased=True)
    write_mind(folder / "b/workspace.mind", is_erased=False)
