"""Landings that are killed, one after the other, while their captures grow between them.

Run as a program: `killed_landings.py HOME FOLDER COUNT SEED`. It imports all that a landing needs
once, and forks a child for each landing, which saves a second per landing; it never landed itself
and has no other thread, so a fork is as good as a new process. Half of the children kill
themselves at a random call of a function of tamis, which reaches every step whatever the machine;
the other half is killed from outside at a random time, which reaches what DuckDB and SQLite do
within a call. All of them by SIGKILL. It prints how many were killed and how many got through.
"""

import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

import pyarrow as pa
from landing_home import claude, land_into

import tamis.landing.account
import tamis.landing.intake
import tamis.landing.jsonl
import tamis.landing.read_lines
import tamis.landing.read_rows

PACKAGE = str(Path(tamis.landing.account.__file__).parents[1])
MODIFIED_NS = 1_780_000_000 * 10**9
TRANSCRIPTS = "agents/main/sessions"


def make_small_batches() -> None:
    """Commit and save often, so that there are many places to be killed between."""
    tamis.landing.jsonl.BLOCK_BYTES = tamis.landing.read_lines.BLOCK_BYTES = 2_000
    tamis.landing.intake.BATCH_BYTES = tamis.landing.read_rows.BATCH_BYTES = 6_000
    tamis.landing.read_lines.SAVE_BYTES = tamis.landing.read_rows.SAVE_BYTES = 15_000


def grow(folder: Path, step: int) -> None:
    """More of every kind of capture; what was there stays, and files keep one modification time.

    Only so is a home that landed every step equal to one that landed the last step alone.
    """
    sessions = folder / TRANSCRIPTS
    checkout = folder / "checkout"
    for place in (sessions, checkout / ".git/refs", checkout / ".git/objects"):
        place.mkdir(parents=True, exist_ok=True)
    (checkout / ".git/HEAD").write_text("ref: refs/heads/main\n")
    for number in range(2):
        with (folder / f"talk{number}.jsonl").open("a") as file:
            for line in range(12):
                text = f"said {line % 5} in {step // 3}" if line % 2 else f"{number} {step} {line}"
                file.write(claude(text, f"s{line % 3}", cwd=str(checkout)) + "\n")
            file.write(f"broken {step}\n")
    if step % 5 == 0:
        (folder / f"new{step}.jsonl").write_text(claude(f"new {step}", f"n{step}") + "\n")
    transcript = ['{"type":"session","version":3,"id":"packed","cwd":"/none"}']
    for number in range(6 * (step + 1)):
        entry = {"type": "message", "id": f"m{number}", "parentId": None, "message": {"n": number}}
        transcript.append(json.dumps(entry))
    packed = pa.Codec("zstd").compress("".join(line + "\n" for line in transcript).encode())
    (sessions / "packed.jsonl.reset.2026-06-01T09-59-00.000Z.zst").write_bytes(packed)
    index = {f"agent:main:{number}": {"sessionId": f"s{number}"} for number in range(step + 1)}
    (sessions / "sessions.json").write_text(json.dumps(index))
    mind = sqlite3.connect(folder / "workspace.mind")
    mind.execute("create table if not exists memory_frames (id integer primary key, content text)")
    mind.executemany(
        "insert into memory_frames (content) values (?)",
        [(f"frame {step} {number} " + "x" * 200,) for number in range(15)],
    )
    mind.commit()
    mind.close()
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, ns=(MODIFIED_NS, MODIFIED_NS))


class Countdown:
    """Kills its process at the n-th call of a function of tamis, in whatever thread."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def start(self) -> None:
        threading.setprofile(self)
        sys.setprofile(self)


def land_in_child(home: Path, folder: Path, countdown: Countdown) -> int:
    """The process id of a child that lands."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        countdown.start()
        land_into(home, folder, environ={**os.environ, "HOME": str(folder)})
        sys.setprofile(None)
        (home / "calls").write_text(str(-countdown.left))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def main(home: Path, folder: Path, count: int, seed: int) -> None:
    """Land and kill `count` times."""
    chance = random.Random(seed)
    make_small_batches()
    assert threading.active_count() == 1
    grow(folder, 0)
    scratch = home.with_name("scratch")
    begun = time.monotonic()
    os.waitpid(land_in_child(scratch, folder, Countdown(0)), 0)
    seconds = time.monotonic() - begun
    calls = int((scratch / "calls").read_text())
    killed = 0
    for step in range(count):
        grow(folder, step)
        by_call = step % 2 == 0
        child = land_in_child(
            home,
            folder,
            Countdown(chance.randint(1, calls * chance.choice((1, 4, 16))) if by_call else 0),
        )
        delay = chance.uniform(0, seconds)
        if not by_call:
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            killed += 1
        else:
            assert status == 0, f"landing {step} failed"
    print(json.dumps({"killed": killed, "finished": count - killed, "calls": calls}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
