"""The reviewed rows of seeds/ that judge a text: read, and checked before anything uses them."""

import csv
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import duckdb

from tamis.errors import USAGE, TamisError
from tamis.home import Settings
from tamis.rules.conditions import beyond_its_event
from tamis.rules.patterns import portability_problem

SEEDS = (
    "noise_rules",
    "secret_patterns",
    "kept_exceptions",
    "near_duplicate_guards",
    "grouping_rules",
    "project_aliases",
    "dedup_policies",
    "fact_types",
    "record_kinds",
)
# The settings that can switch rows on and off: those that are either on or off.
SWITCHES = tuple(field.name for field in fields(Settings) if isinstance(field.default, bool))
STAGED_AS = ("prompt", "system", "summary")
POLICY_SCOPES = ("body", "session and body", "event token and body")
POLICY_DISTANCES = ("any", "stored rows", "seconds")
ANSWERED_AS = ("cron", "memory_flush", "session_start", "turn")
EVENT_COLUMNS = {
    "body": "varchar",
    "role": "varchar",
    "event_kind": "varchar",
    "trigger_kind": "varchar",
    "is_subagent": "boolean",
    "is_interactive": "boolean",
    "source_system": "varchar",
    "source_entity": "varchar",
    "cwd": "varchar",
    "is_json": "boolean",
    "is_wrapped": "boolean",
    "is_erased": "boolean",
}


class Row(dict[str, str]):
    """A row of a rule file, a text for each column, that knows where it stands.

    Attributes:
        path: the file.
        number: its place among the file's rows, from 1.
        is_own: whether it is the user's own and not a packaged one.
    """

    def __init__(
        self, cells: Mapping[str, str], path: Path, number: int, *, is_own: bool = False
    ) -> None:
        super().__init__(cells)
        self.path = path
        self.number = number
        self.is_own = is_own


Seeds = dict[str, list[Row]]


@dataclass(frozen=True)
class NoiseRule:
    """A row of noise_rules: an event is refused where condition and patterns both hold.

    Nearly all rows have one pattern, or none. Of several, `least_matches` must match.
    """

    rule_id: str
    priority: int
    category: str
    condition: str
    patterns: tuple[str, ...]
    least_matches: int
    staged_as: str
    answered_as: str

    @property
    def is_staged(self) -> bool:
        """Whether staging applies it: a condition would need columns that staging doesn't have."""
        return bool(self.staged_as and self.patterns and not self.condition)


@dataclass(frozen=True)
class SecretPattern:
    """A row of secret_patterns: what a secret looks like and what takes its place.

    `contains` are literals of which each such secret holds one; they spare most texts the
    pattern. Where none is rare enough, `mentions` is a cheap pattern that its text matches in any
    case. Where both are empty the pattern is tried on every text.
    `setting` names the setting that switches the row on; it is empty where the row always counts.
    """

    pattern_id: str
    kind: str
    setting: str
    contains: tuple[str, ...]
    mentions: str
    pattern: str
    replacement: str


@dataclass(frozen=True)
class KeptException:
    """A row of kept_exceptions: a body that no pattern of a noise rule may refuse."""

    exception_id: str
    pattern: str


@dataclass(frozen=True)
class DedupPolicy:
    """A row of dedup_policies: when a statement that was made before is stored again."""

    policy_id: str
    scope: str
    distance: str
    window_size: str


def read_rules(
    seeds: Path,
) -> tuple[list[NoiseRule], list[SecretPattern], list[KeptException]]:
    """Read and check the rows of the seeds that become macros.

    Returns:
        the noise rules by priority, the secret patterns and the exceptions in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    names = ("noise_rules", "secret_patterns", "kept_exceptions")
    return checked({name: read_rows(seeds / f"{name}.csv") for name in names})


def checked(
    seeds: Seeds,
) -> tuple[list[NoiseRule], list[SecretPattern], list[KeptException]]:
    """Check rows that were read already; as `read_rules`."""
    with duckdb.connect() as engine:
        return (
            _noise_rules(seeds["noise_rules"], engine),
            _secret_patterns(seeds["secret_patterns"], engine),
            _kept_exceptions(seeds["kept_exceptions"], engine),
        )


def read_seeds(seeds: Path) -> Seeds:
    """The rows of every seed of a folder, by name.

    Raises:
        TamisError: a file is missing or broken.
    """
    return {name: read_rows(seeds / f"{name}.csv") for name in SEEDS}


def policy_in_force(rows: Sequence[Row]) -> DedupPolicy:
    """The policy in force: the one row of dedup_policies that is marked as default.

    Raises:
        TamisError: a row is wrong, or not exactly one is marked; the message names the file, the
            row and the remedy.
    """
    for row in rows:
        _check_policy(row)
    check_unique(rows, "policy_id")
    marked = [row for row in rows if row["is_default"] == "true"]
    if len(marked) != 1:
        names = ", ".join(row["policy_id"] for row in marked) or "none"
        raise TamisError(
            f"{rows[0].path}: one policy is in force, but is_default is true for {names}: mark one",
            USAGE,
        )
    return DedupPolicy(**{name: marked[0][name] for name in DedupPolicy.__dataclass_fields__})


def rules_version(seeds: Path) -> str:
    """The sha256 hex of all seeds' rows, whatever quotes and line ends the files have."""
    return version_of(read_seeds(seeds))


def version_of(seeds: Seeds) -> str:
    """The sha256 hex of what rows say."""
    content = [[name, seeds[name]] for name in SEEDS]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_rows(path: Path, *, is_own: bool = False) -> list[Row]:
    """The rows of a rule file, each a mapping of its header's names to texts.

    Raises:
        TamisError: the file is missing, isn't UTF-8, or a row has too few or too many cells.
    """
    if path.exists() and not path.is_file():
        # A pipe or a device would be read for ever.
        raise TamisError(f"{path} is no file: put a CSV file there", USAGE)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            header = list(reader.fieldnames or ())
            found = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TamisError(f"{path} can't be read as a CSV file: {error}", USAGE) from error
    twice = [column for column in header if header.count(column) > 1]
    if twice:
        raise TamisError(f"{path} has the column {twice[0]!r} twice: keep one", USAGE)
    rows = [Row(row, path, number, is_own=is_own) for number, row in enumerate(found, start=1)]
    for row in rows:
        if None in row or None in row.values():
            raise row_error(row, "has not one cell a column", "quote cells with ,")
    return rows


def _noise_rules(rows: Sequence[Row], engine: duckdb.DuckDBPyConnection) -> list[NoiseRule]:
    rules: list[NoiseRule] = []
    for row in rows:
        check_words(row, ("rule_id", "category"))
        check_example(row)
        if not row["condition"] and not row["pattern"]:
            raise row_error(row, "tests nothing", "give it a condition or a pattern")
        if not re.fullmatch("[0-9]{1,9}", row["priority"]):
            raise row_error(row, "has no whole number as priority", "give it one")
        for column, words in (("staged_as", STAGED_AS), ("answered_as", ANSWERED_AS)):
            if row[column] not in ("", *words):
                problem = f"is {column.replace('_', ' ')} {row[column]}"
                raise row_error(row, problem, f"use {', '.join(words)}")
        patterns = tuple(row["pattern"].split("\n")) if row["pattern"] else ()
        if row["least_matches"]:
            _check_least_matches(row, patterns)
        else:
            patterns = (row["pattern"],) if row["pattern"] else ()
        for pattern in patterns:
            check_pattern(row, pattern, engine)
        _check_condition(row, engine)
        rules.append(
            NoiseRule(
                rule_id=row["rule_id"],
                priority=int(row["priority"]),
                category=row["category"],
                condition=row["condition"],
                patterns=patterns,
                least_matches=int(row["least_matches"] or 1),
                staged_as=row["staged_as"],
                answered_as=row["answered_as"],
            )
        )
    check_unique(rows, "rule_id")
    check_unique(rows, "priority")
    return sorted(rules, key=lambda rule: rule.priority)


def _secret_patterns(rows: Sequence[Row], engine: duckdb.DuckDBPyConnection) -> list[SecretPattern]:
    secrets: list[SecretPattern] = []
    for row in rows:
        check_words(row, ("pattern_id", "kind"))
        check_example(row)
        check_pattern(row, row["pattern"], engine)
        literals = tuple(row["contains"].split("|")) if row["contains"] else ()
        if not all(literals):
            raise row_error(row, "contains an empty literal", "write a|b, or nothing")
        if row["mentions"]:
            check_pattern(row, row["mentions"], engine)
        if literals and row["mentions"]:
            raise row_error(row, "has both contains and mentions", "empty one")
        if row["setting"] not in ("", *SWITCHES):
            raise row_error(
                row,
                f"has a bad setting {row['setting']}",
                f"use {' or '.join(SWITCHES)}, or nothing",
            )
        if f"[REDACTED:{row['kind']}]" not in row["replacement"]:
            raise row_error(row, "doesn't name its kind", f"replace by [REDACTED:{row['kind']}]")
        secrets.append(
            SecretPattern(
                pattern_id=row["pattern_id"],
                kind=row["kind"],
                setting=row["setting"],
                contains=literals,
                mentions=row["mentions"],
                pattern=row["pattern"],
                replacement=row["replacement"],
            )
        )
    check_unique(rows, "pattern_id")
    return secrets


def _kept_exceptions(rows: Sequence[Row], engine: duckdb.DuckDBPyConnection) -> list[KeptException]:
    exceptions: list[KeptException] = []
    for row in rows:
        check_words(row, ("exception_id",))
        check_example(row)
        check_pattern(row, row["pattern"], engine)
        exceptions.append(KeptException(row["exception_id"], row["pattern"]))
    check_unique(rows, "exception_id")
    return exceptions


def check_words(row: Row, columns: Sequence[str]) -> None:
    for column in columns:
        if not re.fullmatch("[a-z][a-z0-9_]*", row.get(column, "")):
            raise row_error(row, f"has a bad {column}", "use snake_case")


def check_example(row: Row) -> None:
    for column in ("reason", "example", "counter_example"):
        if not row.get(column, "").strip():
            raise row_error(row, f"has no {column}", "write one: it is tested")
    try:
        fields = json.loads(row.get("example_fields") or "{}")
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or not set(fields) <= set(EVENT_COLUMNS):
        raise row_error(row, "has bad example_fields", f"use JSON of {', '.join(EVENT_COLUMNS)}")


def _check_least_matches(row: Row, patterns: Sequence[str]) -> None:
    least = row["least_matches"]
    if not re.fullmatch("[0-9]{1,3}", least) or not 2 <= int(least) <= len(patterns):
        raise row_error(row, f"wants {least} matches", "give a number from 2 to its lines")


def check_pattern(row: Row, pattern: str, engine: duckdb.DuckDBPyConnection) -> None:
    """Raise where a pattern is none that every engine reads alike."""
    problem = portability_problem(pattern)
    if problem is None:
        try:
            engine.execute(f"select regexp_matches('', {sql_text(pattern)})").fetchall()
        except duckdb.Error as error:
            problem = str(error).splitlines()[0]
    if problem is not None:
        raise row_error(row, f"has a bad pattern: {problem}", "correct the pattern")


def _check_condition(row: Row, engine: duckdb.DuckDBPyConnection) -> None:
    if not row["condition"]:
        return
    try:
        beyond = beyond_its_event(row["condition"], EVENT_COLUMNS, engine)
    except duckdb.Error as error:
        message = str(error).splitlines()[0]
        raise row_error(row, f"has a bad condition: {message}", "correct the condition") from error
    if beyond:
        problem = f"has a bad condition: it asks for more than its event ({beyond})"
        raise row_error(row, problem, "correct the condition")


def _check_policy(row: Row) -> None:
    check_words(row, ("policy_id",))
    check_example(row)
    known = {
        "scope": POLICY_SCOPES,
        "distance": POLICY_DISTANCES,
        "is_default": ("true", "false"),
    }
    for column, values in known.items():
        if row[column] not in values:
            raise row_error(row, f"has a bad {column}", f"use one of {', '.join(values)}")
    is_sized = re.fullmatch("[1-9][0-9]{0,8}", row["window_size"]) is not None
    if is_sized is (row["distance"] == "any") or (row["window_size"] and not is_sized):
        raise row_error(
            row,
            "has a bad window_size",
            "give it a whole number above 0, or none where the distance is any",
        )


def check_unique(rows: Sequence[Row], column: str) -> None:
    """Raise where two rows say the same in a column; the user's own one is named."""
    values = [row[column] for row in rows]
    for value in values:
        if values.count(value) > 1:
            twice = [row for row in rows if row[column] == value]
            named = next((row for row in reversed(twice) if row.is_own), twice[-1])
            raise row_error(named, f"repeats {column} {value}", "give it another")


def sql_text(text: object) -> str:
    """A value as SQL: the engine would load whole libraries to bind a parameter."""
    return "null" if text is None else "'" + str(text).replace("'", "''") + "'"


def row_error(row: Row, problem: str, remedy: str) -> TamisError:
    """An error that names the file, the row, what is wrong and what to do, in one line."""
    name = " ".join(str(next(iter(row.values()), "") or "without an id").split())[:60]
    return TamisError(f"{row.path}: row {row.number} ({name}) {problem}: {remedy}", USAGE)
