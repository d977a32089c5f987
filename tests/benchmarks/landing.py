"""How fast captures land, beside DuckDB reading the same as text into a table.

Run by hand: python tests/benchmarks/landing.py [--lines N] [--files N] [--mind]
With --mind the captures are rows of one SQLite file, and DuckDB reads them with its own
extension, which the package duckdb-extension-sqlite-scanner brings along.
Each measurement runs in a process of its own; peak memory is that process's.
"""

import argparse
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "heron",
    "iris",
    "jade",
    "kelp",
    "lark",
    "moss",
    "north",
]
LINES_PER_SESSION = 1_000


def line(number: int) -> str:
    """One Claude Code line of about 470 bytes."""
    session = f"5a000000-0000-4000-8000-{number // LINES_PER_SESSION:012d}"
    words = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in range(1, 26))
    entry = {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/srv/none/demo-app",
        "sessionId": session,
        "version": "2.1.40",
        "gitBranch": "main",
        "type": "user",
        "message": {"role": "user", "content": f"{number} {words}"},
        "uuid": f"5b000000-0000-4000-8000-{number:012d}",
        "timestamp": "2026-06-01T10:00:00.000Z",
    }
    return json.dumps(entry) + "\n"


def write_lines(folder: Path, lines: int, files: int) -> None:
    """Lines spread evenly over files."""
    folder.mkdir()
    for index in range(files):
        with (folder / f"session-{index:06d}.jsonl").open("w") as file:
            for number in range(lines * index // files, lines * (index + 1) // files):
                file.write(line(number))


def write_mind(path: Path, rows: int) -> None:
    """A hive-mind database of so many frames of about 400 bytes."""
    connection = sqlite3.connect(path)
    connection.execute(
        "create table memory_frames (id integer primary key, frame_type text, gop_id text,"
        " content text, importance text, source text, access_count integer, created_at text,"
        " metadata text)"
    )
    connection.executemany(
        "insert into memory_frames values (?, 'I', 'gop', ?, 'normal', 'system', 0,"
        " '2026-06-01 10:00:00', '{}')",
        ((number, line(number)[:280]) for number in range(rows)),
    )
    connection.commit()
    connection.close()


def land_once(captures: Path, home: Path) -> None:
    """Land into a home and print new records and seconds."""
    from tamis.land import land

    begun = time.perf_counter()
    report = land(
        home,
        roots=[captures],
        environ=os.environ,
        cwd=captures.parent,
        now=datetime(2026, 12, 1),
    )
    tell(report.new_records, time.perf_counter() - begun)


def read_as_text(captures: Path, home: Path) -> None:
    """Let DuckDB read the lines as text into a table and print lines and seconds."""
    import duckdb

    home.mkdir()
    begun = time.perf_counter()
    connection = duckdb.connect(str(home / "floor.duckdb"))
    connection.execute(
        "create table lines as select * from read_csv(?, columns = {'line': 'varchar'},"
        " header = false, delim = chr(1), quote = '', escape = '', auto_detect = false,"
        " max_line_size = 100000000)",
        [f"{captures}/*.jsonl"],
    )
    count = connection.execute("select count(*) from lines").fetchall()[0][0]
    connection.close()
    tell(count, time.perf_counter() - begun)


def read_rows_only(captures: Path, home: Path) -> None:
    """Read a mind's rows as landing does, write nothing, print rows and seconds."""
    from tamis.landing.sqlite_copy import read_tables
    from tamis.sources.hive_mind import MIND

    home.mkdir()
    begun = time.perf_counter()
    count = sum(
        len(rows.positions)
        for _, batches in read_tables(captures / "workspace.mind", MIND.tables, home)
        for rows in batches
    )
    tell(count, time.perf_counter() - begun)


def scan_as_text(captures: Path, home: Path) -> None:
    """Let DuckDB's extension read all columns of a mind as text into a table."""
    import duckdb

    home.mkdir()
    begun = time.perf_counter()
    connection = duckdb.connect(str(home / "floor.duckdb"))
    connection.execute(f"load '{sqlite_extension()}'")
    connection.execute("set sqlite_all_varchar = true")
    connection.execute(
        "create table rows_read as select * from sqlite_scan(?, 'memory_frames')",
        [str(captures / "workspace.mind")],
    )
    count = connection.execute("select count(*) from rows_read").fetchall()[0][0]
    connection.close()
    tell(count, time.perf_counter() - begun)


def sqlite_extension() -> Path:
    """Where the extension's package keeps it."""
    package = find_spec("duckdb_extension_sqlite_scanner")
    if package is None or package.origin is None:
        sys.exit("no SQLite extension: uv pip install duckdb-extension-sqlite-scanner")
    return next(Path(package.origin).parent.rglob("*.duckdb_extension"))


def tell(rows: int, seconds: float) -> None:
    """One line of figures."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{rows:>9,} rows  {seconds:6.2f} s  {rows / seconds:>9,.0f} rows/s"
        f"  {time.process_time():6.2f} s of processor  {peak:5.0f} MB peak"
    )


def main() -> None:
    """Generate captures, measure in processes of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mind", action="store_true", help="frames of a mind instead of lines")
    parser.add_argument("--measure", nargs=3, metavar=("WHAT", "CAPTURES", "HOME"))
    options = parser.parse_args()
    if options.measure:
        what, captures, home = options.measure
        measurements = {
            "land": land_once,
            "text": read_as_text,
            "read": read_rows_only,
            "scan": scan_as_text,
        }
        measurements[what](Path(captures), Path(home))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        captures = folder / "captures"
        if options.mind:
            captures.mkdir()
            write_mind(captures / "workspace.mind", options.lines)
        else:
            write_lines(captures, options.lines, options.files)
        size = sum(file.stat().st_size for file in captures.iterdir())
        print(f"{options.lines:,} in {options.files} files, {size / options.lines:.0f} bytes each")
        floor, *others = ["scan", "read", "land"] if options.mind else ["text", "land"]
        seconds: dict[str, list[float]] = {}
        for turn in range(options.rounds):
            for what in [floor, *others]:
                seconds.setdefault(what, []).append(measure(what, captures, folder, turn))
        measure("land", captures, folder, options.rounds - 1)
        for what in others:
            ratios = [mine / own for mine, own in zip(seconds[floor], seconds[what], strict=True)]
            print(
                f"{what} has {min(ratios):.2f} / {statistics.median(ratios):.2f} /"
                f" {max(ratios):.2f} of the speed of {floor} (min / median / max)"
            )


def measure(what: str, captures: Path, folder: Path, turn: int) -> float:
    """Run one measurement in a process of its own, print its figures, return its seconds."""
    command = [sys.executable, __file__, "--measure", what, captures, folder / f"{what}-{turn}"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    print(f"{what:5} {done.stdout}", end="", flush=True)
    return float(done.stdout.split()[2])


if __name__ == "__main__":
    main()
