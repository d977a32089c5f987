"""Land and build generated frames, beside the floor: the same rows read, stripped, hashed, ranked.

    python tests/benchmarks/line.py [--rows 1000000] [--home DIR]

The frames are lines of Claude Code sessions of about 470 bytes, half of them said before, a tenth
acknowledgements. The floor reads the same lines into a table and writes one query's result: strip
the prefix, hash, number the rows of each hash. Each phase runs in a process of its own, whose peak
memory is the operating system's figure.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS_PER_SESSION = 2_000
ACKNOWLEDGEMENTS = ("ok", "thanks", "yes", "continue", "got it")
FLOOR = Path(__file__).with_name("floor.py")


def write_frames(folder: Path, rows: int) -> int:
    """Write the frames into session files, and return their size in bytes."""
    size = 0
    for first in range(0, rows, ROWS_PER_SESSION):
        session = f"{first:08x}-0000-4000-8000-000000000000"
        lines = []
        for number in range(first, min(first + ROWS_PER_SESSION, rows)):
            lines.append(json.dumps(frame(session, number)))
        path = folder / f"-home-u-work-p{first // ROWS_PER_SESSION % 50}" / f"{session}.jsonl"
        path.parent.mkdir(exist_ok=True)
        size += path.write_text("\n".join(lines) + "\n")
    return size


def frame(session: str, number: int) -> dict[str, object]:
    """One line: every second body was said before, every tenth says nothing."""
    said = number if number % 2 else number // 4
    text = (
        ACKNOWLEDGEMENTS[number // 10 % len(ACKNOWLEDGEMENTS)]
        if number % 10 == 0
        else f"[hm session:{session} src:claude-code event:stop] We moved service {said} to port"
        f" {said % 60_000}, since the one before was taken by job {said % 977}."
    )
    role = "user" if number % 2 else "assistant"
    seconds = number % 86_400
    return {
        "parentUuid": f"{number - 1:08x}-1111-4000-8000-000000000000",
        "isSidechain": False,
        "cwd": f"/home/u/work/p{number // ROWS_PER_SESSION % 50}",
        "sessionId": session,
        "version": "2.1.40",
        "type": role,
        "message": {"role": role, "content": text},
        "uuid": f"{number:08x}-1111-4000-8000-000000000000",
        "timestamp": f"2026-{number // 86_400 % 9 + 1:02}-01T{seconds // 3600:02}:"
        f"{seconds // 60 % 60:02}:{seconds % 60:02}.000Z",
    }


def timed(label: str, command: list[str], rows: int) -> float:
    """Run a command, print its seconds, rows a second and peak memory, and return the seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begun
    peak = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
    print(
        f"{label:28} {seconds:8.1f} s {rows / seconds:12,.0f} rows/s   peak so far {peak:6,.0f} MB"
    )
    return seconds


def print_models(target: Path, floor: float) -> None:
    """Print each model that took a tenth of a floor or longer: its seconds, and floors."""
    results = json.loads((target / "run_results.json").read_text(encoding="utf-8"))["results"]
    times = {
        result["unique_id"].split(".")[-1]: result["execution_time"]
        for result in results
        if result["unique_id"].startswith("model.")
    }
    for name, seconds in sorted(times.items(), key=lambda item: -item[1]):
        if seconds >= floor / 10:
            print(f"  {name:38} {seconds:6.1f} s {seconds / floor:6.2f} floors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tamis-benchmark-") as name:
        folder = Path(name)
        captures = folder / "projects"
        captures.mkdir()
        size = write_frames(captures, arguments.rows)
        print(f"{arguments.rows:,} frames, {size / 1e6:,.0f} MB, {os.cpu_count()} processors")
        floor = timed(
            "floor",
            [sys.executable, str(FLOOR), str(captures), str(folder / "floor.duckdb")],
            arguments.rows,
        )
        tamis = [sys.executable, "-m", "tamis", "--home", str(folder / "home")]
        start = timed("dbt's own start (empty home)", [*tamis, "build"], arguments.rows)
        land = timed("land", [*tamis, "land", "--from", str(captures)], arguments.rows)
        build = timed("build", [*tamis, "build", "--full-refresh"], arguments.rows)
        print_models(folder / "home" / "dbt" / "target", floor)
        database = (folder / "home" / "tamis.duckdb").stat().st_size
        print(f"land + build without dbt's start: {(land + build - start) / floor:.1f} floors")
        print(f"the database is {database / size:.2f} times the captures")


if __name__ == "__main__":
    main()
