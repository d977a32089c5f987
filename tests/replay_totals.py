"""How many of upstream's cases tamis answers as upstream does, table by table.

`python tests/replay_totals.py [--shared DIR]` prints it; a failure makes it end with status 1.
"""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from replays import cases, deviations, is_right, names_of, replays

VERDICTS = ("equal", "deviations", "not asked for", "failures")


def counted(shared: Path, table: str) -> Counter[str]:
    """How many cases of a table come to each verdict."""
    known = {row.case: row for row in deviations() if row.table == table}
    found = cases(shared, table)
    verdicts: Counter[str] = Counter()
    for name, case, answer in zip(names_of(found), found, replays()[table](found), strict=True):
        deviation = known.get(name)
        if not is_right(case, answer, deviation):
            verdicts["failures"] += 1
        elif deviation is None:
            verdicts["equal"] += 1
        else:
            verdicts["deviations" if deviation.better else "not asked for"] += 1
    return verdicts


def line(title: str, verdicts: Counter[str]) -> str:
    """One line of the report."""
    columns = (verdicts.total(), *(verdicts[verdict] for verdict in VERDICTS))
    return f"{title:<45}" + "".join(f"{column:>15}" for column in columns)


def main() -> int:
    """Print the table and its totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, help="where the cases are; else $TAMIS_SHARED")
    beside = os.environ.get("TAMIS_SHARED") or Path(__file__).resolve().parents[2] / "shared"
    shared = parser.parse_args().shared or Path(beside)
    if not (shared / "cases").is_dir():
        print(f"no cases in {shared}: name the folder with --shared", file=sys.stderr)
        return 2
    print(f"{'table':<45}" + "".join(f"{column:>15}" for column in ("cases", *VERDICTS)))
    total: Counter[str] = Counter()
    for table in sorted(replays()):
        verdicts = counted(shared, table)
        total += verdicts
        print(line(table, verdicts), flush=True)
    print(line("total", total))
    return 1 if total["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
