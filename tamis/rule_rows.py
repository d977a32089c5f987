"""The reviewed rows of seeds/ that judge a text: read, and checked before anything uses them."""

import csv
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tamis.errors import USAGE, TamisError
from tamis.patterns import portability_problem

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
COMPARED = ("itself", "next word")
STAGED_AS = ("prompt", "system", "summary")
EVENT_COLUMNS = {
    "body": "varchar",
    "role": "varchar",
    "event_kind": "varchar",
    "trigger_kind": "varchar",
    "is_subagent": "boolean",
    "is_interactive": "boolean",
    "source_system": "varchar",
    "is_wrapped": "boolean",
    "is_erased": "boolean",
}


@dataclass(frozen=True)
class NoiseRule:
    """A row of noise_rules: an event is refused where condition and pattern both hold."""

    rule_id: str
    priority: int
    category: str
    condition: str
    pattern: str
    staged_as: str


@dataclass(frozen=True)
class SecretPattern:
    """A row of secret_patterns: what a secret looks like and what takes its place.

    `contains` are literals of which each such secret holds one; they spare most texts the
    pattern. Where none is rare enough it is empty, and the pattern is tried on every text.
    """

    pattern_id: str
    kind: str
    contains: tuple[str, ...]
    pattern: str
    replacement: str


@dataclass(frozen=True)
class KeptException:
    """A row of kept_exceptions: a body that no pattern of a noise rule may refuse."""

    exception_id: str
    pattern: str


@dataclass(frozen=True)
class NearDuplicateGuard:
    """A row of near_duplicate_guards: what tells two texts apart that are alike elsewhere.

    `compared` is what has to be equal: what the pattern finds, or the word behind it.
    """

    guard_id: str
    guard: str
    pattern: str
    compared: str


@dataclass(frozen=True)
class GroupingRule:
    """A row of grouping_rules: events that a source declares to be one, or that restate one text.

    `manner` is how such a text says things and not what it says; it is empty where bodies need
    not agree.
    """

    rule_id: str
    source_system: str
    event_kind: str
    pattern: str
    manner: str


def read_rules(
    seeds: Path,
) -> tuple[list[NoiseRule], list[SecretPattern], list[KeptException]]:
    """Read and check the rows of the three seeds that become macros.

    Returns:
        the noise rules by priority, the secret patterns and the exceptions in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    with duckdb.connect() as engine:
        return (
            _noise_rules(seeds / "noise_rules.csv", engine),
            _secret_patterns(seeds / "secret_patterns.csv", engine),
            _kept_exceptions(seeds / "kept_exceptions.csv", engine),
        )


def read_guards(seeds: Path) -> list[NearDuplicateGuard]:
    """Read and check the rows of near_duplicate_guards, in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    path = seeds / "near_duplicate_guards.csv"
    guards: list[NearDuplicateGuard] = []
    compared: dict[str, str] = {}
    with duckdb.connect() as engine:
        for number, row in enumerate(read_rows(path), start=1):
            _check_words(path, number, row, ("guard_id", "guard"))
            _check_example(path, number, row)
            _check_pattern(path, number, row, engine)
            if re.compile(row["pattern"]).groups:
                raise _row_error(path, number, row, "captures a group", "write (?:a|b) for (a|b)")
            if row["compared"] not in COMPARED:
                raise _row_error(
                    path, number, row, "compares nothing", f"compare {' or '.join(COMPARED)}"
                )
            if compared.setdefault(row["guard"], row["compared"]) != row["compared"]:
                raise _row_error(
                    path, number, row, "compares otherwise than its guard", "compare alike"
                )
            for column in ("example", "counter_example"):
                if row[column].count(" | ") != 1:
                    raise _row_error(
                        path, number, row, f"has no pair as {column}", "write one text | another"
                    )
            guards.append(
                NearDuplicateGuard(row["guard_id"], row["guard"], row["pattern"], row["compared"])
            )
    _check_unique(path, "guard_id", [guard.guard_id for guard in guards])
    return guards


def read_grouping_rules(seeds: Path) -> list[GroupingRule]:
    """Read and check the rows of grouping_rules, in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    path = seeds / "grouping_rules.csv"
    rules: list[GroupingRule] = []
    with duckdb.connect() as engine:
        for number, row in enumerate(read_rows(path), start=1):
            _check_words(path, number, row, ("rule_id", "event_kind"))
            _check_example(path, number, row)
            for column in ("pattern", "manner"):
                if row[column]:
                    _check_pattern(path, number, {**row, "pattern": row[column]}, engine)
            is_declared = "true" in (row["same_session"], row["same_instant"], row["same_title"])
            if is_declared == bool(row["least_similarity"]):
                raise _row_error(
                    path,
                    number,
                    row,
                    "groups by nothing, or by two things",
                    "say what is the same, or how similar the texts have to be",
                )
            if row["least_similarity"] and not row["pattern"]:
                raise _row_error(
                    path, number, row, "would group any two texts", "give it a pattern"
                )
            rules.append(
                GroupingRule(
                    rule_id=row["rule_id"],
                    source_system=row["source_system"],
                    event_kind=row["event_kind"],
                    pattern=row["pattern"],
                    manner=row["manner"],
                )
            )
    _check_unique(path, "rule_id", [rule.rule_id for rule in rules])
    return rules


def rules_version(seeds: Path) -> str:
    """The sha256 hex of all seeds' rows, whatever quotes and line ends the files have."""
    content = [[name, read_rows(seeds / f"{name}.csv")] for name in SEEDS]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a seed file, each a mapping of its header's names to texts.

    Raises:
        TamisError: the file is missing, isn't UTF-8, or a row has too few or too many cells.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TamisError(f"{path} can't be read as a CSV file: {error}", USAGE) from error
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise _row_error(path, number, row, "has not one cell a column", "quote cells with ,")
    return rows


def _noise_rules(path: Path, engine: duckdb.DuckDBPyConnection) -> list[NoiseRule]:
    rules: list[NoiseRule] = []
    for number, row in enumerate(read_rows(path), start=1):
        _check_words(path, number, row, ("rule_id", "category"))
        _check_example(path, number, row)
        if not row["condition"] and not row["pattern"]:
            raise _row_error(path, number, row, "tests nothing", "give it a condition or a pattern")
        if not re.fullmatch("[0-9]{1,9}", row["priority"]):
            raise _row_error(path, number, row, "has no whole number as priority", "give it one")
        if row["staged_as"] not in ("", *STAGED_AS):
            raise _row_error(
                path, number, row, f"is staged as {row['staged_as']}", f"use {', '.join(STAGED_AS)}"
            )
        _check_pattern(path, number, row, engine)
        _check_condition(path, number, row, engine)
        rules.append(
            NoiseRule(
                rule_id=row["rule_id"],
                priority=int(row["priority"]),
                category=row["category"],
                condition=row["condition"],
                pattern=row["pattern"],
                staged_as=row["staged_as"],
            )
        )
    _check_unique(path, "rule_id", [rule.rule_id for rule in rules])
    _check_unique(path, "priority", [str(rule.priority) for rule in rules])
    return sorted(rules, key=lambda rule: rule.priority)


def _secret_patterns(path: Path, engine: duckdb.DuckDBPyConnection) -> list[SecretPattern]:
    secrets: list[SecretPattern] = []
    for number, row in enumerate(read_rows(path), start=1):
        _check_words(path, number, row, ("pattern_id", "kind"))
        _check_example(path, number, row)
        _check_pattern(path, number, row, engine)
        literals = tuple(row["contains"].split("|")) if row["contains"] else ()
        if not all(literals):
            raise _row_error(
                path, number, row, "contains an empty literal", "write a|b, or nothing"
            )
        if f"[REDACTED:{row['kind']}]" not in row["replacement"]:
            raise _row_error(
                path, number, row, "doesn't name its kind", f"replace by [REDACTED:{row['kind']}]"
            )
        secrets.append(
            SecretPattern(
                pattern_id=row["pattern_id"],
                kind=row["kind"],
                contains=literals,
                pattern=row["pattern"],
                replacement=row["replacement"],
            )
        )
    _check_unique(path, "pattern_id", [secret.pattern_id for secret in secrets])
    return secrets


def _kept_exceptions(path: Path, engine: duckdb.DuckDBPyConnection) -> list[KeptException]:
    exceptions: list[KeptException] = []
    for number, row in enumerate(read_rows(path), start=1):
        _check_words(path, number, row, ("exception_id",))
        _check_example(path, number, row)
        _check_pattern(path, number, row, engine)
        exceptions.append(KeptException(row["exception_id"], row["pattern"]))
    _check_unique(path, "exception_id", [row.exception_id for row in exceptions])
    return exceptions


def _check_words(path: Path, number: int, row: dict[str, str], columns: Sequence[str]) -> None:
    for column in columns:
        if not re.fullmatch("[a-z][a-z0-9_]*", row.get(column, "")):
            raise _row_error(path, number, row, f"has a bad {column}", "use snake_case")


def _check_example(path: Path, number: int, row: dict[str, str]) -> None:
    for column in ("reason", "example", "counter_example"):
        if not row.get(column, "").strip():
            raise _row_error(path, number, row, f"has no {column}", "write one: it is tested")
    try:
        fields = json.loads(row.get("example_fields") or "{}")
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or not set(fields) <= set(EVENT_COLUMNS):
        raise _row_error(
            path, number, row, "has bad example_fields", f"use JSON of {', '.join(EVENT_COLUMNS)}"
        )


def _check_pattern(
    path: Path, number: int, row: dict[str, str], engine: duckdb.DuckDBPyConnection
) -> None:
    pattern = row["pattern"]
    if not pattern and "condition" in row:
        return
    problem = portability_problem(pattern)
    if problem is None:
        try:
            engine.execute("select regexp_matches('', ?)", [pattern]).fetchall()
        except duckdb.Error as error:
            problem = str(error).splitlines()[0]
    if problem is not None:
        raise _row_error(path, number, row, f"has a bad pattern: {problem}", "correct the pattern")


def _check_condition(
    path: Path, number: int, row: dict[str, str], engine: duckdb.DuckDBPyConnection
) -> None:
    columns = ", ".join(f"null::{kind} as {name}" for name, kind in EVENT_COLUMNS.items())
    try:
        engine.execute(f"select ({row['condition'] or 'true'})::boolean from (select {columns})")
    except duckdb.Error as error:
        message = str(error).splitlines()[0]
        raise _row_error(
            path, number, row, f"has a bad condition: {message}", "correct the condition"
        ) from error


def _check_unique(path: Path, column: str, values: Sequence[str]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise TamisError(f"{path}: {column} {value} occurs twice: give one another", USAGE)


def _row_error(
    path: Path, number: int, row: dict[str, str], problem: str, remedy: str
) -> TamisError:
    name = next(iter(row.values()), "") or "without an id"
    return TamisError(f"{path}: row {number} ({name}) {problem}: {remedy}", USAGE)
