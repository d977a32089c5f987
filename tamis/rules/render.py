"""The reviewed rows of seeds/ become the SQL macros that judge a text.

Patterns are fast only as constants, so the rows are rendered into macros, which are committed:
`python -m tamis.rules` writes them again after a row changed, and docs/rules.md with them.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from tamis.rules.groups import (
    differing_guards_macro,
    grouping_rule_macro,
    grouping_rules_of,
    guarded_parts_macro,
    guards_of,
    without_guarded_macro,
    without_manner_macro,
)
from tamis.rules.macro_text import as_template, case, indent, jinja_literal, macro, matches
from tamis.rules.patterns import any_of, at_beginning, scoped
from tamis.rules.rows import (
    DedupPolicy,
    KeptException,
    NoiseRule,
    Seeds,
    checked,
    policy_in_force,
    read_seeds,
    version_of,
)
from tamis.rules.secrets import (
    may_hold_secret_macro,
    redact_secrets_macro,
    secret_kinds_macro,
)

# The column that a noise rule reads, as a macro's argument.
BODY = "'body'"
# Of how many characters an alternation may be: RE2's automaton of a longer one outgrows its
# memory, and each body is then read several times slower.
LONGEST_GUARD = 9_000


def render_rules(seeds: Path, target: Path) -> None:
    """Write the macros of the rules.

    Args:
        seeds: folder of the seed files.
        target: folder that gets one .sql file a macro; created where missing.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    render_seeds(read_seeds(seeds), target)


def render_seeds(seeds: Seeds, target: Path) -> None:
    """Write the macros of rows that were read already; as `render_rules`."""
    rules, secrets, exceptions = checked(seeds)
    policy = policy_in_force(seeds["dedup_policies"])
    guards = guards_of(seeds["near_duplicate_guards"])
    groups = grouping_rules_of(seeds["grouping_rules"])
    macros = {
        "dedup_policy": _dedup_policy_macro(policy),
        "noise_rule": _noise_rule_macro(rules, exceptions),
        "noise_match": _noise_match_macro(rules),
        "machine_kind": _machine_kind_macro(rules, exceptions),
        "answered_as": _answered_as_macro(rules, exceptions),
        "may_hold_secret": may_hold_secret_macro(secrets),
        "redact_secrets": redact_secrets_macro(secrets),
        "secret_kinds": secret_kinds_macro(secrets),
        "without_guarded": without_guarded_macro(guards),
        "guarded_parts": guarded_parts_macro(guards),
        "differing_guards": differing_guards_macro(guards),
        "grouping_rule": grouping_rule_macro(groups),
        "without_manner": without_manner_macro(groups),
        "rules_version": macro(
            "rules_version()",
            "The version of the seeds: the sha256 of what their rows say.",
            f"'{version_of(seeds)}'",
        ),
    }
    target.mkdir(parents=True, exist_ok=True)
    for name, text in macros.items():
        path = target / f"{name}.sql"
        # A file that is right already keeps its time, by which dbt knows what to parse again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _noise_rule_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    # One alternation of all patterns is tested first: a body that it lets pass, as nearly all
    # do, costs one test instead of sixty. A pattern that may match anywhere would make that test
    # read every body to its end, so its rule's condition goes before it instead.
    kept = [exception.pattern for exception in exceptions]
    steps: list[str] = []
    for is_gated, group in groupby(rules, key=_has_anchors):
        for members in _chunks(list(group)) if is_gated else [list(group)]:
            branches = [
                f"when {' and '.join(_tests(rule, [] if is_gated else kept))} then '{rule.rule_id}'"
                for rule in members
            ]
            if is_gated:
                patterns = [pattern for rule in members for pattern in rule.patterns]
                steps.append(_gated(_guard(patterns, kept, BODY), branches))
            else:
                steps.append(case(branches))
    return macro(
        "noise_rule()",
        "The id of the first noise rule that refuses the event at hand, or NULL.",
        "coalesce(\n" + indent(",\n".join([*steps, "null"])) + "\n)",
    )


def _noise_match_macro(rules: Sequence[NoiseRule]) -> str:
    branches = []
    for rule in rules:
        spans = ", ".join(_span(pattern) for pattern in rule.patterns)
        if spans:
            found = f"coalesce({spans})" if len(rule.patterns) > 1 else spans
            branches.append(f"when '{rule.rule_id}' then {found}")
    return macro(
        "noise_match(rule_id, text)",
        "Where a noise rule's pattern matches in a text, as position and length; NULL where the "
        "rule has none.",
        "case {{ rule_id }}\n" + indent("\n".join(branches)) + "\nend" if branches else "null",
    )


def _span(pattern: str) -> str:
    place = ", at_beginning=true" if at_beginning(pattern) else ""
    return f"{{{{ match_span(text, {jinja_literal(scoped(pattern))}{place}) }}}}"


def _chunks(rules: Sequence[NoiseRule]) -> list[list[NoiseRule]]:
    """The rules in their order, cut where the alternation of their patterns grows too long."""
    chunks: list[list[NoiseRule]] = []
    length = LONGEST_GUARD
    for rule in rules:
        added = sum(map(len, rule.patterns))
        if length + added > LONGEST_GUARD:
            chunks.append([])
            length = 0
        chunks[-1].append(rule)
        length += added
    return chunks


def _has_anchors(rule: NoiseRule) -> bool:
    return bool(rule.patterns) and all(at_beginning(pattern) for pattern in rule.patterns)


def _machine_kind_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    return macro(
        "machine_kind(text)",
        "What machine text of a user's role is instead of a turn: prompt, system, summary or NULL.",
        _staged(exceptions, [(rule, rule.staged_as) for rule in rules if rule.is_staged]),
    )


def _answered_as_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    return macro(
        "answered_as(text)",
        "What started the answers to a text of a user's role: a timer's or a gateway's prompt, a"
        " turn, or NULL where machine text asks for nothing.",
        "case\n    when {{ machine_kind(text) }} is null\n    then 'turn'\n    else\n"
        + indent(
            _staged(
                exceptions,
                [(rule, rule.answered_as) for rule in rules if rule.is_staged and rule.answered_as],
            ),
            8,
        )
        + "\nend",
    )


def _staged(exceptions: Sequence[KeptException], words: Sequence[tuple[NoiseRule, str]]) -> str:
    """The word of the first rule that matches a text which nobody trimmed yet."""
    # Trimming every text costs more than patterns that bear white space around it.
    # Each pattern is compiled in each model that asks: neighbours of one word are asked at once.
    branches: list[str] = []
    for word, members in groupby(words, key=lambda item: item[1]):
        alike = [pattern for rule, _ in members for pattern in rule.patterns]
        branches.append(f"when {matches(any_of(alike), 'text')} then '{word}'")
    kept = [any_of([exception.pattern]) for exception in exceptions]
    patterns = [pattern for rule, _ in words for pattern in rule.patterns]
    return _gated(_guard(patterns, kept, "text"), branches)


def _dedup_policy_macro(policy: DedupPolicy) -> str:
    fields = ", ".join(
        f"{jinja_literal(name)}: {jinja_literal(value)}" for name, value in asdict(policy).items()
    )
    return macro(
        "dedup_policy(field)",
        "A field of the policy in force, which says when a statement is stored again.",
        f"{{{{- {{{fields}}}[field] -}}}}",
    )


def _tests(rule: NoiseRule, kept: Sequence[str]) -> list[str]:
    tests = [f"({as_template(rule.condition)})"] if rule.condition else []
    if rule.least_matches > 1:
        counted = " + ".join(
            f"cast({matches(pattern, BODY)} as integer)" for pattern in rule.patterns
        )
        tests.append(f"{counted} >= {rule.least_matches}")
    else:
        tests += [matches(pattern, BODY) for pattern in rule.patterns]
    return tests + [f"not {matches(pattern, BODY)}" for pattern in kept if rule.patterns]


def _guard(patterns: Sequence[str], kept: Sequence[str], expression: str) -> list[str]:
    return [
        matches(any_of(patterns), expression),
        *(f"not {matches(pattern, expression)}" for pattern in kept),
    ]


def _gated(guard: Sequence[str], branches: Sequence[str]) -> str:
    if not branches:
        return "null"
    tests = indent("\nand ".join(guard), 8)
    return f"case\n    when\n{tests}\n    then\n{indent(case(branches), 8)}\nend"
