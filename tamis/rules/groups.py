"""The rules about texts that nearly agree: their rows, read and checked, and their macros."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from tamis.rules.macro_text import case, indent, jinja_literal, macro, matches
from tamis.rules.patterns import scoped
from tamis.rules.rows import Row, check_example, check_pattern, check_unique, check_words, row_error

COMPARED = ("itself", "next word")
SAME = ("same_session", "same_instant", "same_title")
# What follows a negation tells what is denied; its first letters do.
NEXT_WORD = r"[\s!-/:-@\[-`{-~]*([^\s!-/:-@\[-`{-~]{0,6})"
BODY = "'body'"


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


def guards_of(rows: Sequence[Row]) -> list[NearDuplicateGuard]:
    """The checked rows of near_duplicate_guards, in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    guards: list[NearDuplicateGuard] = []
    compared: dict[str, str] = {}
    with duckdb.connect() as engine:
        for row in rows:
            check_words(row, ("guard_id", "guard"))
            check_example(row)
            check_pattern(row, row["pattern"], engine)
            if re.compile(row["pattern"]).groups:
                raise row_error(row, "captures a group", "write (?:a|b) for (a|b)")
            if row["compared"] not in COMPARED:
                raise row_error(row, "compares nothing", f"compare {' or '.join(COMPARED)}")
            if compared.setdefault(row["guard"], row["compared"]) != row["compared"]:
                raise row_error(row, "compares otherwise than its guard", "compare alike")
            for column in ("example", "counter_example"):
                if row[column].count(" | ") != 1:
                    raise row_error(row, f"has no pair as {column}", "write one text | another")
            guards.append(
                NearDuplicateGuard(row["guard_id"], row["guard"], row["pattern"], row["compared"])
            )
    check_unique(rows, "guard_id")
    return guards


def grouping_rules_of(rows: Sequence[Row]) -> list[GroupingRule]:
    """The checked rows of grouping_rules, in the file's order.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    rules: list[GroupingRule] = []
    with duckdb.connect() as engine:
        for row in rows:
            check_words(row, ("rule_id", "event_kind"))
            check_example(row)
            for column in ("pattern", "manner"):
                if row[column]:
                    check_pattern(row, row[column], engine)
            for column in SAME:
                if row[column] not in ("true", "false"):
                    raise row_error(row, f"has a bad {column}", "use true or false")
            if not re.fullmatch(r"(?:0?\.[0-9]+|1(?:\.0+)?)?", row["least_similarity"]):
                raise row_error(row, "has a bad least_similarity", "use a number up to 1, or none")
            if not row["cover_rule"].strip():
                raise row_error(row, "has no cover_rule", "write what fact_sources will say")
            is_declared = "true" in (row[column] for column in SAME)
            if is_declared == bool(row["least_similarity"]):
                raise row_error(
                    row,
                    "groups by nothing, or by two things",
                    "say what is the same, or how similar the texts have to be",
                )
            if row["least_similarity"] and not row["pattern"]:
                raise row_error(row, "would group any two texts", "give it a pattern")
            rules.append(
                GroupingRule(
                    rule_id=row["rule_id"],
                    source_system=row["source_system"],
                    event_kind=row["event_kind"],
                    pattern=row["pattern"],
                    manner=row["manner"],
                )
            )
    check_unique(rows, "rule_id")
    return rules


def without_guarded_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    pattern = "|".join(scoped(guard.pattern) for guard in guards)
    return macro(
        "without_guarded(text)",
        "A text without what a guard names: what near-duplicates have in common.",
        f"{{{{ replace_all(text, {jinja_literal(pattern)}, ' ') }}}}",
    )


def guarded_parts_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    parts = ",\n".join(
        f"lower({{{{ joined_matches(text, {jinja_literal(pattern)}, {group}) }}}})"
        for _, pattern, group in by_guard(guards)
    )
    return macro(
        "guarded_parts(text)",
        "What each guard, in the order of their names, has to compare of a text.",
        f"[\n{indent(parts)}\n]",
    )


def differing_guards_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    tests = ",\n".join(
        f"case when {{{{ item_at(first, {number}) }}}} <> {{{{ item_at(second, {number}) }}}}"
        f" then '{guard}' end"
        for number, (guard, _, _) in enumerate(by_guard(guards), start=1)
    )
    return macro(
        "differing_guards(first, second)",
        "The guards whose parts of two texts differ, sorted; an empty list where none do.",
        f"{{%- set tests -%}}\n{indent(tests)}\n{{%- endset -%}}\n{{{{ present_items(tests) }}}}",
    )


def by_guard(guards: Sequence[NearDuplicateGuard]) -> list[tuple[str, str, int]]:
    """Each guard by name: one pattern of all its rows, and the group of it that is compared."""
    found = []
    for name in sorted({guard.guard for guard in guards}):
        rows = [guard for guard in guards if guard.guard == name]
        pattern = "|".join(scoped(row.pattern) for row in rows)
        if rows[0].compared == "next word":
            found.append((name, f"(?:{pattern}){NEXT_WORD}", 1))
        else:
            found.append((name, pattern, 0))
    return found


def grouping_rule_macro(rules: Sequence[GroupingRule]) -> str:
    branches = []
    for rule in rules:
        tests = [f"event_kind = '{rule.event_kind}'"]
        if rule.source_system:
            tests.append(f"source_system = '{rule.source_system}'")
        if rule.pattern:
            tests.append(matches(rule.pattern, BODY))
        branches.append(f"when {' and '.join(tests)} then '{rule.rule_id}'")
    return macro(
        "grouping_rule()",
        "The id of the first rule by which the event at hand may belong to a group, or NULL.",
        case(branches),
    )


def without_manner_macro(rules: Sequence[GroupingRule]) -> str:
    branches = [
        f"when grouping_rule_id = '{rule.rule_id}'"
        f" then {{{{ replace_all('body', {jinja_literal(rule.manner)}, ' ') }}}}"
        for rule in rules
        if rule.manner
    ]
    return macro(
        "without_manner()",
        "The body at hand without how texts of its grouping rule say what they say.",
        case([*branches, "else body"]),
    )
