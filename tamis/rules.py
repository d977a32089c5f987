"""The reviewed rows of seeds/ become the SQL macros that judge a text.

Patterns are fast only as constants, so the rows are rendered into macros, which are committed:
`python -m tamis.rules` writes them again after a row changed.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from tamis.patterns import any_of, literal, scoped
from tamis.rule_rows import (
    GroupingRule,
    KeptException,
    NearDuplicateGuard,
    NoiseRule,
    SecretPattern,
    read_grouping_rules,
    read_guards,
    read_rules,
    rules_version,
)

# The column that a noise rule reads, as a macro's argument.
BODY = "'body'"
# What follows a negation tells what is denied; its first letters do.
NEXT_WORD = r"[\s!-/:-@\[-`{-~]*([^\s!-/:-@\[-`{-~]{0,6})"


def render_rules(seeds: Path, target: Path) -> None:
    """Write the macros of the rules.

    Args:
        seeds: folder of the seed files.
        target: folder that gets one .sql file a macro; created where missing.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    rules, secrets, exceptions = read_rules(seeds)
    guards = read_guards(seeds)
    grouping_rules = read_grouping_rules(seeds)
    macros = {
        "noise_rule": _noise_rule_macro(rules, exceptions),
        "machine_kind": _machine_kind_macro(rules, exceptions),
        "redact_secrets": _redact_secrets_macro(secrets),
        "secret_kinds": _secret_kinds_macro(secrets),
        "without_guarded": _without_guarded_macro(guards),
        "guarded_parts": _guarded_parts_macro(guards),
        "differing_guards": _differing_guards_macro(guards),
        "grouping_rule": _grouping_rule_macro(grouping_rules),
        "without_manner": _without_manner_macro(grouping_rules),
        "rules_version": _macro(
            "rules_version()",
            "The version of the seeds: the sha256 of what their rows say.",
            f"'{rules_version(seeds)}'",
        ),
    }
    target.mkdir(parents=True, exist_ok=True)
    for name, text in macros.items():
        (target / f"{name}.sql").write_text(text, encoding="utf-8")


def _noise_rule_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    # One alternation of all patterns is tested first: a body that it lets pass, as nearly all
    # do, costs one test instead of sixty.
    steps: list[str] = []
    for reads_text, group in groupby(rules, key=lambda rule: bool(rule.pattern)):
        members = list(group)
        branches = [f"when {' and '.join(_tests(rule))} then '{rule.rule_id}'" for rule in members]
        if reads_text:
            kept = [exception.pattern for exception in exceptions]
            guard = _guard([rule.pattern for rule in members], kept, BODY)
            steps.append(_gated(guard, branches))
        else:
            steps.append(_case(branches))
    return _macro(
        "noise_rule()",
        "The id of the first noise rule that refuses the event at hand, or NULL.",
        "coalesce(\n" + _indent(",\n".join([*steps, "null"])) + "\n)",
    )


def _machine_kind_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    # A rule with a condition of its own would need columns that staging doesn't have. Trimming
    # every text costs more than patterns that bear white space around it.
    staged = [rule for rule in rules if rule.staged_as and rule.pattern and not rule.condition]
    branches = [
        f"when {_matches(any_of([rule.pattern]), 'text')} then '{rule.staged_as}'"
        for rule in staged
    ]
    kept = [any_of([exception.pattern]) for exception in exceptions]
    return _macro(
        "machine_kind(text)",
        "What machine text of a user's role is instead of a turn: prompt, system, summary or NULL.",
        _gated(_guard([rule.pattern for rule in staged], kept, "text"), branches),
    )


def _redact_secrets_macro(secrets: Sequence[SecretPattern]) -> str:
    replacements = "\n".join(
        "{%- set redacted = replace_all(redacted, "
        f"{_literal(secret.pattern)}, {_literal(secret.replacement)}) -%}}"
        for secret in secrets
    )
    return _macro(
        "redact_secrets(text)",
        "The text with every secret replaced by its kind; what holds none stays as it is.",
        "{%- set redacted = text -%}\n"
        + replacements
        + f"\ncase\n    when {_suspicious(secrets)}\n"
        + "    then {{ redacted }}\n    else {{ text }}\nend",
    )


def _secret_kinds_macro(secrets: Sequence[SecretPattern]) -> str:
    kinds = ",\n".join(
        f"case when {_matches(secret.pattern, 'text')} then '{secret.kind}' end"
        for secret in secrets
    )
    return _macro(
        "secret_kinds(text)",
        "The kinds of secrets that an unredacted text holds, sorted; an empty list where none.",
        "{%- set kinds -%}\n"
        + _indent(kinds)
        + f"\n{{%- endset -%}}\ncase\n    when {_suspicious(secrets)}\n"
        + "    then {{ set_of(kinds) }}\n"
        + "    else {{ set_of('cast(null as varchar)') }}\nend",
    )


def _without_guarded_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    pattern = "|".join(scoped(guard.pattern) for guard in guards)
    return _macro(
        "without_guarded(text)",
        "A text without what a guard names: what near-duplicates have in common.",
        f"{{{{ replace_all(text, {_literal(pattern)}, ' ') }}}}",
    )


def _guarded_parts_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    parts = ",\n".join(
        f"lower({{{{ joined_matches(text, {_literal(pattern)}, {group}) }}}})"
        for _, pattern, group in _by_guard(guards)
    )
    return _macro(
        "guarded_parts(text)",
        "What each guard, in the order of their names, has to compare of a text.",
        f"[\n{_indent(parts)}\n]",
    )


def _differing_guards_macro(guards: Sequence[NearDuplicateGuard]) -> str:
    tests = ",\n".join(
        f"case when {{{{ item_at(first, {number}) }}}} <> {{{{ item_at(second, {number}) }}}}"
        f" then '{guard}' end"
        for number, (guard, _, _) in enumerate(_by_guard(guards), start=1)
    )
    return _macro(
        "differing_guards(first, second)",
        "The guards whose parts of two texts differ, sorted; an empty list where none do.",
        f"{{%- set tests -%}}\n{_indent(tests)}\n{{%- endset -%}}\n{{{{ set_of(tests) }}}}",
    )


def _by_guard(guards: Sequence[NearDuplicateGuard]) -> list[tuple[str, str, int]]:
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


def _grouping_rule_macro(rules: Sequence[GroupingRule]) -> str:
    branches = []
    for rule in rules:
        tests = [f"event_kind = '{rule.event_kind}'"]
        if rule.source_system:
            tests.append(f"source_system = '{rule.source_system}'")
        if rule.pattern:
            tests.append(_matches(rule.pattern, BODY))
        branches.append(f"when {' and '.join(tests)} then '{rule.rule_id}'")
    return _macro(
        "grouping_rule()",
        "The id of the first rule by which the event at hand may belong to a group, or NULL.",
        _case(branches),
    )


def _without_manner_macro(rules: Sequence[GroupingRule]) -> str:
    branches = [
        f"when grouping_rule_id = '{rule.rule_id}'"
        f" then {{{{ replace_all('body', {_literal(rule.manner)}, ' ') }}}}"
        for rule in rules
        if rule.manner
    ]
    return _macro(
        "without_manner()",
        "The body at hand without how texts of its grouping rule say what they say.",
        _case([*branches, "else body"]),
    )


def _suspicious(secrets: Sequence[SecretPattern]) -> str:
    """Whether a text may hold a secret: one pass over it that nearly all texts fail."""
    literals = [literal(text) for secret in secrets for text in secret.contains]
    patterns = [scoped(secret.pattern) for secret in secrets if not secret.contains]
    return _matches("|".join([*dict.fromkeys(literals), *patterns]), "text")


def _tests(rule: NoiseRule) -> list[str]:
    condition = [f"({_template(rule.condition)})"] if rule.condition else []
    return condition + ([_matches(rule.pattern, BODY)] if rule.pattern else [])


def _guard(patterns: Sequence[str], kept: Sequence[str], expression: str) -> list[str]:
    return [
        _matches(any_of(patterns), expression),
        *(f"not {_matches(pattern, expression)}" for pattern in kept),
    ]


def _matches(pattern: str, expression: str) -> str:
    return f"{{{{ matches({expression}, {_literal(pattern)}) }}}}"


def _gated(guard: Sequence[str], branches: Sequence[str]) -> str:
    if not branches:
        return "null"
    tests = _indent("\nand ".join(guard), 8)
    return f"case\n    when\n{tests}\n    then\n{_indent(_case(branches), 8)}\nend"


def _case(branches: Sequence[str]) -> str:
    return "case\n" + _indent("\n".join(branches)) + "\nend"


def _macro(signature: str, purpose: str, sql: str) -> str:
    # The formatter of SQL would write the patterns' quotes anew.
    return (
        "-- fmt: off\n"
        f"{{# {purpose} Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}}\n"
        f"{{% macro {signature} %}}\n{_indent(sql)}\n{{% endmacro %}}\n"
    )


def _indent(text: str, width: int = 4) -> str:
    return "\n".join(f"{' ' * width}{line}" for line in text.splitlines())


def _template(sql: str) -> str:
    """SQL as template text; as one Jinja literal where Jinja would read it as its own."""
    return f"{{{{ {_literal(sql)} }}}}" if re.search(r"\{[{%#]|[}%#]\}", sql) else sql


def _literal(text: str) -> str:
    """A Jinja string literal that yields the text and holds none of Jinja's delimiters."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    escaped = re.sub(r"[{}%#](?=[{}%#])", lambda match: f"\\x{ord(match[0]):02x}", escaped)
    return "'" + "".join(_visible(character) for character in escaped) + "'"


def _visible(character: str) -> str:
    if character.isprintable() and character not in "\u20e3\ufe0e\ufe0f":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


if __name__ == "__main__":
    PROJECT = Path(__file__).resolve().parents[1]
    render_rules(PROJECT / "seeds", PROJECT / "macros" / "rules")
