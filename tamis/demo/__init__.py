"""Synthetic captures with every trouble of real ones, and the questions asked of them.

`captures/` is laid out like a user's disk. Three things can't lie in a repository as they lie on
that disk, so `write_captures` makes them: the mind is an SQLite file, built from its frames; the
planted secrets are put together from harmless pieces; and every file gets one fixed modification
time, so that two demos land the same records.
"""

import hashlib
import json
import os
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from tamis.errors import ENVIRONMENT, TamisError

CAPTURES = Path(__file__).parent / "captures"
QUESTIONS = Path(__file__).parent / "questions.jsonl"
# Scenarios and traps: what a golden set has to hold, in small.
GOLDEN = Path(__file__).parent / "golden.jsonl"
CAPTURED_AT = datetime(2026, 3, 7, tzinfo=UTC)

# None of these opens anything; they only have the shape that the secret patterns look for.
FAKE_SECRETS = {
    "@@fake_openai_key@@": "sk-" + "proj-" + "NotARealKeyTamisDemo" + "0123456789" * 2,
    "@@fake_github_token@@": "ghp_" + "NotARealTokenTamisDemo" + "01234567890123",
    "@@fake_aws_key@@": "AKIA" + "TAMISDEMOFAKEKEY",
    "@@fake_connection_string@@": "postgres://demo:" + "not-a-password" + "@db.example:5432/demo",
}

_FRAMES = Path("hive-mind") / "memory_frames.jsonl"
_MIND = Path("hive-mind") / "global.mind"
_HEADER = re.compile(r"^\[hm [^\]]*\]\s*")
_MIND_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, gop_id TEXT UNIQUE, project_id TEXT, status TEXT,
    started_at TEXT, ended_at TEXT, summary TEXT
);
CREATE TABLE memory_frames (
    id INTEGER PRIMARY KEY AUTOINCREMENT, frame_type TEXT, gop_id TEXT, t INTEGER,
    base_frame_id INTEGER, content TEXT, importance TEXT, source TEXT, access_count INTEGER,
    created_at TEXT, last_accessed TEXT, content_hash TEXT, metadata TEXT
);
"""


def write_captures(target: Path) -> Path:
    """Write the demo's captures into a folder, which is created where it is missing.

    Returns:
        ``target``, ready to be landed: claude/projects, openclaw/agents, hive-mind/global.mind and
        git/demo.checkouts.jsonl.

    Raises:
        TamisError: the folder can't be written.
    """
    try:
        written = [
            _copy(path, target)
            for path in sorted(CAPTURES.rglob("*"))
            if path.is_file() and path.relative_to(CAPTURES) != _FRAMES
        ]
        written.append(_build_mind(target))
        for path in written:
            os.utime(path, (CAPTURED_AT.timestamp(), CAPTURED_AT.timestamp()))
    except OSError as error:
        raise TamisError(
            f"can't write the demo's captures to {target} ({error.strerror}): choose another",
            ENVIRONMENT,
        ) from error
    return target


def _copy(path: Path, target: Path) -> Path:
    content = path.read_bytes()
    for placeholder, secret in FAKE_SECRETS.items():
        content = content.replace(placeholder.encode(), secret.encode())
    copy = target / path.relative_to(CAPTURES)
    copy.parent.mkdir(parents=True, exist_ok=True)
    # Written, not copied: an installed package may be read-only, its copies must not be.
    copy.write_bytes(content)
    return copy


def _build_mind(target: Path) -> Path:
    lines = (CAPTURES / _FRAMES).read_text(encoding="utf-8").splitlines()
    frames = [json.loads(line) for line in lines]
    mind = target / _MIND
    mind.parent.mkdir(parents=True, exist_ok=True)
    mind.unlink(missing_ok=True)
    with closing(sqlite3.connect(mind)) as connection, connection:
        connection.executescript(_MIND_TABLES)
        connection.execute("INSERT INTO meta VALUES ('content_hash_semantics', 'hm-stripped')")
        for frame in frames:
            connection.execute(
                "INSERT OR IGNORE INTO sessions (gop_id, status, started_at) "
                "VALUES (:gop_id, 'active', :created_at)",
                frame,
            )
            body = _HEADER.sub("", frame["content"]).strip()
            connection.execute(
                "INSERT INTO memory_frames VALUES (:id, :frame_type, :gop_id, :t, NULL, :content, "
                ":importance, :source, :access_count, :created_at, :created_at, :body_hash, '{}')",
                frame | {"body_hash": hashlib.sha256(body.encode()).hexdigest()},
            )
    return mind
