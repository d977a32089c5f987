"""The user's own rows of `<home>/rules`, laid over the packaged ones and tested when they are read.

A row with the id of a packaged one takes its place, or switches it off.
"""

import csv
import shutil
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path

from tamis.errors import USAGE, TamisError
from tamis.home import project_dir
from tamis.rules.groups import SAME, grouping_rules_of, guards_of
from tamis.rules.render import render_seeds
from tamis.rules.rows import (
    SEEDS,
    Row,
    Seeds,
    checked,
    policy_in_force,
    read_rows,
    read_seeds,
    row_error,
    version_of,
)
from tamis.rules.trials import try_examples

SWITCH = "is_active"
# Seeds whose rows are not named by their first column alone.
KEYS = {"record_kinds": ("source_entity", "record_kind")}
# What a cell that must say something says where the user left it out.
DEFAULTS = {
    "noise_rules": {"category": "own_rule"},
    "fact_types": {"salience": "5"},
    "dedup_policies": {"is_default": "false"},
    "record_kinds": {"holds_events": "true"},
    "grouping_rules": dict.fromkeys(SAME, "false"),
}
PRIORITY_STEP = 10


def own_files(home: Path) -> list[Path]:
    """The rule files of a home, by name; those that an editor hides are none."""
    folder = home / "rules"
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if path.suffix.lower() == ".csv")
    return sorted(path for path in found if not path.name.startswith("."))


def rules_of(home: Path, trial: Path | None = None) -> Seeds:
    """Every row that judges a home, by seed: the packaged ones with the user's own laid over them.

    Args:
        home: the home folder.
        trial: a file of noise rules that is laid over both, to try it.

    Raises:
        TamisError: exit 2 where a row is wrong or fails its own examples; one line that names the
            file, the row and the remedy.
    """
    seeds = read_seeds(project_dir() / "seeds")
    files = [(path.name.removesuffix(".csv"), path) for path in own_files(home)]
    if trial is not None:
        files.append(("noise_rules", trial))
    for name, path in files:
        if name not in SEEDS:
            known = ", ".join(f"{seed}.csv" for seed in SEEDS)
            raise TamisError(f"{path} is no rule file: name it one of {known}", USAGE)
        seeds[name] = laid_over(name, seeds[name], read_rows(path, is_own=True))
    if files:
        rules, secrets, exceptions = checked(seeds)
        guards = guards_of(seeds["near_duplicate_guards"])
        grouping_rules_of(seeds["grouping_rules"])
        policy_in_force(seeds["dedup_policies"])
        try_examples(seeds, rules, secrets, exceptions, guards)
    return seeds


def own_version(home: Path) -> str | None:
    """The version of the rules that judge a home, None where the user has no rows there.

    Raises:
        TamisError: exit 2 where a row is wrong.
    """
    return version_of(rules_of(home)) if own_files(home) else None


def laid_over(name: str, packaged: list[Row], own: list[Row]) -> list[Row]:
    """The rows of a seed after the user's: replaced in place, switched off, or added at the end."""
    if not own:
        return packaged
    header = list(packaged[0])
    keys = KEYS.get(name, (header[0],))
    check_columns(own[0], header, keys)
    known = {key_of(row, keys): row for row in packaged}
    said: dict[tuple[str, ...], Row | None] = {}
    priority = highest_priority(packaged)
    for row in own:
        key = key_of(row, keys)
        if not all(key):
            raise row_error(row, f"has no {' or '.join(keys)}", "give it one")
        if key in said:
            raise row_error(row, f"repeats {', '.join(keys)}", "keep one of the rows")
        if is_off(row):
            if key not in known:
                raise row_error(row, "switches off what is not packaged", "correct its name")
            if not row.get("reason", "").strip():
                raise row_error(row, "has no reason", "write why it is off")
            said[key] = None
            continue
        said[key] = completed(row, known.get(key), header, DEFAULTS.get(name, {}))
        whole = said[key]
        if whole is not None and whole.get("priority") == "":
            priority += PRIORITY_STEP
            whole["priority"] = str(priority)
    rows = [said.get(key, row) for key, row in known.items()]
    rows += [row for key, row in said.items() if key not in known]
    left = [row for row in rows if row is not None]
    if not left:
        raise TamisError(f"{own[0].path} switches every row of {name} off: keep one", USAGE)
    return only_default(left)


def completed(row: Row, replaced: Row | None, header: list[str], defaults: dict[str, str]) -> Row:
    """A user's row with all columns of its seed: what it leaves out is the replaced row's, or the
    default. What shows that a row is right is always its own."""
    cells = {}
    for column in header:
        given = row.get(column)
        if column in ("reason", "example", "counter_example"):
            cells[column] = given or ""
        elif given is None or (not given.strip() and column in (*defaults, "priority")):
            cells[column] = replaced[column] if replaced else defaults.get(column, "")
        else:
            cells[column] = given
    if "kind" in header and "replacement" in header:
        cells["kind"] = cells["kind"] or cells["pattern_id"]
        cells["replacement"] = cells["replacement"] or f"[REDACTED:{cells['kind']}]"
    return Row(cells, row.path, row.number, is_own=True)


def only_default(rows: list[Row]) -> list[Row]:
    """The rows, where a user's default ends the packaged one."""
    if not any(row.is_own and row.get("is_default") == "true" for row in rows):
        return rows
    return [
        row
        if row.is_own or row["is_default"] != "true"
        else Row({**row, "is_default": "false"}, row.path, row.number)
        for row in rows
    ]


def check_columns(row: Row, header: list[str], keys: Iterable[str]) -> None:
    """Raise where a file has a column that its seed lacks, or lacks the one that names its rows."""
    for column in keys:
        if column not in row:
            raise TamisError(f"{row.path} has no column {column}: add it", USAGE)
    for column in row:
        if column not in (*header, SWITCH):
            known = ", ".join([*header, SWITCH])
            raise TamisError(f"{row.path} has an unknown column {column!r}: use {known}", USAGE)


def is_off(row: Row) -> bool:
    """Whether a row switches off the packaged one of its name."""
    said = row.get(SWITCH, "").strip().lower()
    if said not in ("", "true", "false"):
        raise row_error(row, f"has a bad {SWITCH}", "use true or false")
    return said == "false"


def key_of(row: Row, keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(row[column].strip() for column in keys)


def highest_priority(rows: Iterable[Row]) -> int:
    """The place of the last rule, behind which rules without a place of their own come."""
    return max(
        (int(row["priority"]) for row in rows if row.get("priority", "").isdigit()), default=0
    )


def write_rules(seeds: Seeds, folder: Path) -> None:
    """Write rows as a dbt project reads them: `<folder>/seeds` and `<folder>/macros/rules`.

    Raises:
        TamisError: a row is wrong.
    """
    texts = {f"{name}.csv": as_csv(rows) for name, rows in seeds.items()}
    write_folder(folder / "seeds", texts)
    render_seeds(seeds, folder / "macros" / "rules")


def as_csv(rows: list[Row]) -> str:
    """Rows as the text of a CSV file."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Make a folder hold these files and no others; what is right already is not written."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text.encode():
            path.write_bytes(text.encode())


def place_rules(home: Path) -> Path | None:
    """Bring a home's rules to where its builds read them.

    Returns:
        the folder for `TAMIS_RULES`, None where the packaged rules are all there are.

    Raises:
        TamisError: exit 2 where a row is wrong; what stood there stays.
    """
    if not own_files(home):
        shutil.rmtree(home / "seeds", ignore_errors=True)
        shutil.rmtree(home / "macros", ignore_errors=True)
        return None
    write_rules(rules_of(home), home)
    return home
