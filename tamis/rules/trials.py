"""Test the user's own rows by the examples that they give, before anything is judged by them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import duckdb

from tamis.rules.groups import NearDuplicateGuard, by_guard
from tamis.rules.rows import (
    EVENT_COLUMNS,
    KeptException,
    NoiseRule,
    Row,
    SecretPattern,
    Seeds,
    check_pattern,
    row_error,
    sql_text,
)

# An event of which nothing else is said: what a person said to an agent.
ORDINARY = {
    "role": "user",
    "event_kind": "turn",
    "trigger_kind": None,
    "is_subagent": False,
    "is_interactive": True,
    "source_system": "claude_code",
    "source_entity": "entries",
    "cwd": "/srv/demo",
    "is_json": False,
    "is_wrapped": False,
    "is_erased": False,
}
EXAMPLE_REMEDY = "correct the row or its example"
COUNTER_REMEDY = "make the row narrower, or correct its counter-example"

# A condition that fails on one text would end every build.
ORDINARY_TEXTS = ("", "7443", "port 7443, läuft 👍", '{"port": [7443]}')


def try_examples(
    seeds: Seeds,
    rules: Sequence[NoiseRule],
    secrets: Sequence[SecretPattern],
    exceptions: Sequence[KeptException],
    guards: Sequence[NearDuplicateGuard],
) -> None:
    """Raise where a user's row does not judge its own examples as it says.

    Args:
        seeds: all rows; the packaged ones are tested where they are made.
        rules: the noise rules among them.
        secrets: the patterns of secrets among them.
        exceptions: the exceptions among them.
        guards: the guards of near-duplicates among them.

    Raises:
        TamisError: exit 2; one line that names the file, the row and the remedy.
    """
    by_rule = {rule.rule_id: rule for rule in rules}
    by_pattern = {secret.pattern_id: secret for secret in secrets}
    with duckdb.connect() as engine:
        for row in own(seeds, "noise_rules"):
            _try_noise_rule(row, by_rule[row["rule_id"]], exceptions, engine)
        for row in own(seeds, "secret_patterns"):
            _try_secret(row, by_pattern[row["pattern_id"]], engine)
        for row in own(seeds, "kept_exceptions"):
            _tell_apart(row, partial(_matches, engine, row["pattern"]))
        for row in own(seeds, "project_aliases"):
            _try_alias(row)
        for row in own(seeds, "near_duplicate_guards"):
            _try_guard(row, guards, engine)
        for row in own(seeds, "grouping_rules"):
            if row["pattern"]:
                _tell_apart(row, partial(_matches, engine, row["pattern"]))
        for name in seeds:
            for row in own(seeds, name):
                _require_words(row)
                if row.get("pattern") and name != "noise_rules":
                    check_pattern(row, row["pattern"], engine)
    _require_one_type(seeds["fact_types"])


def own(seeds: Seeds, name: str) -> list[Row]:
    """The user's own rows of a seed."""
    return [row for row in seeds.get(name, []) if row.is_own]


def refuses(
    rule: NoiseRule,
    body: str,
    engine: duckdb.DuckDBPyConnection,
    fields: Mapping[str, Any] | None = None,
) -> bool:
    """Whether a rule's condition and pattern both hold for an ordinary event with this body."""
    event = {**ORDINARY, **(fields or {}), "body": body}
    columns = ", ".join(
        f"{sql_text(event[name])}::{kind} as {name}" for name, kind in EVENT_COLUMNS.items()
    )
    test = f"({rule.condition or 'true'})"
    if rule.patterns:
        found = " + ".join(
            f"regexp_matches(body, {sql_text(pattern)})::int" for pattern in rule.patterns
        )
        test += f" and {found} >= {rule.least_matches}"
    answer = engine.execute(f"select ({test}) is true from (select {columns})").fetchone()
    return bool(answer and answer[0])


def _try_noise_rule(
    row: Row,
    rule: NoiseRule,
    exceptions: Sequence[KeptException],
    engine: duckdb.DuckDBPyConnection,
) -> None:
    fields = json.loads(row["example_fields"] or "{}")
    # A pattern must spare its counter-example whoever said it.
    role = {"role": fields["role"]} if rule.patterns and fields.get("role") else {}
    try:
        _tell_apart(
            row,
            lambda text: refuses(rule, text, engine, fields),
            lambda text: refuses(rule, text, engine) or refuses(rule, text, engine, role),
        )
        for text in ORDINARY_TEXTS:
            refuses(rule, text, engine)
    except duckdb.Error as error:
        told = str(error).splitlines()[0]
        raise row_error(row, f"can't be tested: {told}", "correct the condition") from error
    for exception in exceptions:
        if rule.patterns and _matches(engine, exception.pattern, row["example"]):
            raise row_error(
                row, f"has an example that {exception.exception_id} keeps", "give it another"
            )


def _try_secret(row: Row, secret: SecretPattern, engine: duckdb.DuckDBPyConnection) -> None:
    _tell_apart(row, partial(_matches, engine, secret.pattern))
    if secret.contains and not any(text in row["example"] for text in secret.contains):
        raise row_error(row, "has an example without a literal of contains", EXAMPLE_REMEDY)
    texts = (row["example"], secret.pattern, secret.replacement)
    redacted = engine.execute(
        f"select regexp_replace({', '.join(map(sql_text, texts))}, 'g')"
    ).fetchone()
    if redacted and _matches(engine, secret.pattern, redacted[0]):
        raise row_error(row, "matches what it writes itself", "make the pattern narrower")


def _try_alias(row: Row) -> None:
    name = rf"(?<![\w.-]){re.escape(row['alias'])}(?![\w.-])"
    _tell_apart(row, lambda text: re.search(name, text) is not None)


def _try_guard(
    row: Row, guards: Sequence[NearDuplicateGuard], engine: duckdb.DuckDBPyConnection
) -> None:
    # All rows of a guard compare together, so together they are tried.
    for guard, pattern, group in by_guard(guards):
        if guard == row["guard"]:
            _tell_apart(row, partial(_differs, engine, pattern, group))


def _differs(engine: duckdb.DuckDBPyConnection, pattern: str, group: int, pair: str) -> bool:
    first, second = (
        f"lower(regexp_extract_all({sql_text(text)}, {sql_text(pattern)}, {group})::varchar)"
        for text in pair.split(" | ")
    )
    answer = engine.execute(f"select {first} <> {second}").fetchone()
    return bool(answer and answer[0])


def _tell_apart(
    row: Row, holds: Callable[[str], bool], holds_wrongly: Callable[[str], bool] | None = None
) -> None:
    if not holds(row["example"]):
        raise row_error(row, "does not match its own example", EXAMPLE_REMEDY)
    if (holds_wrongly or holds)(row["counter_example"]):
        raise row_error(row, "matches its own counter-example", COUNTER_REMEDY)


def _require_words(row: Row) -> None:
    # What only a table tells, such as a project's key, is wrong where it is empty.
    for column in ("reason", "example", "counter_example", "project_key", "event_kind"):
        if column in row and not row[column].strip():
            raise row_error(row, f"has no {column}", "write one")
    allowed = {
        "salience": ("[1-9]|10", "use a whole number from 1 to 10"),
        "holds_events": ("true|false", "use true or false"),
    }
    for column, (form, remedy) in allowed.items():
        if column in row and not re.fullmatch(form, row[column]):
            raise row_error(row, f"has a bad {column}", remedy)


def _require_one_type(rows: Sequence[Row]) -> None:
    # Two types of one event would make two facts of one statement.
    for place, row in enumerate(rows):
        for other in rows[:place]:
            roles = row["role"], other["role"]
            if row["event_kind"] == other["event_kind"] and ("" in roles or len(set(roles)) == 1):
                named, first = (row, other) if row.is_own else (other, row)
                if named.is_own:
                    raise row_error(
                        named,
                        f"types the same events as {first['fact_type']}",
                        f"switch {first['fact_type']} off, or replace it",
                    )


def _matches(engine: duckdb.DuckDBPyConnection, pattern: str, text: str) -> bool:
    call = f"regexp_matches({sql_text(text)}, {sql_text(pattern)})"
    answer = engine.execute(f"select {call}").fetchone()
    return bool(answer and answer[0])
