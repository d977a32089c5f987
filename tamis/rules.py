"""The reviewed rows of seeds/ become the SQL macros that judge a text.

Patterns are fast only as constants, so the rows are rendered into macros, which are committed:
`python -m tamis.rules` writes them again after a row changed.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from tamis.patterns import any_of, literal, scoped
from tamis.rule_rows import KeptException, NoiseRule, SecretPattern, read_rules, rules_version

# The column that a noise rule reads, as a macro's argument.
BODY = "'body'"
# How many patterns of secrets one automaton tries: with more it would be made anew all the time.
PATTERNS_AT_A_TIME = 5


def render_rules(seeds: Path, target: Path) -> None:
    """Write the macros of the rules.

    Args:
        seeds: folder of the seed files.
        target: folder that gets one .sql file a macro; created where missing.

    Raises:
        TamisError: a row is wrong; the message names the file, the row and the remedy.
    """
    rules, secrets, exceptions = read_rules(seeds)
    macros = {
        "noise_rule": _noise_rule_macro(rules, exceptions),
        "machine_kind": _machine_kind_macro(rules, exceptions),
        "redact_secrets": _redact_secrets_macro(secrets),
        "secret_kinds": _secret_kinds_macro(secrets),
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
        _where_set(
            secret.setting,
            "{%- set redacted = replace_all(redacted, "
            f"{_literal(secret.pattern)}, {_literal(secret.replacement)}) -%}}",
        )
        for secret in secrets
    )
    return _macro(
        "redact_secrets(text)",
        "The text with every secret replaced by its kind; what holds none stays as it is.",
        "{%- set redacted = text -%}\n"
        + replacements
        + "\n"
        + _where_suspicious(secrets, "{{ redacted }}", "{{ text }}"),
    )


def _secret_kinds_macro(secrets: Sequence[SecretPattern]) -> str:
    kinds = "\n".join(
        _where_set(
            secret.setting,
            f"case when {_matches(secret.pattern, 'text')} then '{secret.kind}' end,",
        )
        for secret in secrets
    )
    return _macro(
        "secret_kinds(text)",
        "The kinds of secrets that an unredacted text holds, sorted; an empty list where none.",
        "{%- set kinds -%}\n"
        + _indent(kinds)
        + "\n    null\n{%- endset -%}\n"
        + _where_suspicious(
            secrets, "{{ set_of(kinds) }}", "{{ set_of('cast(null as varchar)') }}"
        ),
    )


def _where_suspicious(secrets: Sequence[SecretPattern], answer: str, otherwise: str) -> str:
    """SQL that gives the answer for a text that may hold a secret, else something cheaper.

    The hints are one pass of words, which an engine tries at the speed of reading and most texts
    fail. What is told by frequent words is tried after them, a few patterns at a time: together
    they would be more than an engine's automaton holds.
    """
    hints = ""
    tests: list[str] = []
    for setting in dict.fromkeys(secret.setting for secret in secrets):
        rows = [secret for secret in secrets if secret.setting == setting]
        rare = [literal(text) for secret in rows for text in secret.contains]
        frequent = [f"(?i:{literal(text)})" for secret in rows for text in secret.mentions]
        patterns = [scoped(secret.pattern) for secret in rows if not secret.contains]
        trials = [
            "|".join(patterns[start : start + PATTERNS_AT_A_TIME])
            for start in range(0, len(patterns), PATTERNS_AT_A_TIME)
        ]
        unnamed = [
            scoped(secret.pattern) for secret in rows if not secret.contains + secret.mentions
        ]
        found = "|".join(dict.fromkeys([*rare, *frequent, *unnamed]))
        value = f"hints ~ {_literal(f'|{found}')}" if setting else _literal(found)
        hints += _where_set(setting, f"{{%- set hints = {value} -%}}") + "\n"
        if rare:
            trials.insert(0, "|".join(dict.fromkeys(rare)))
        tests += [_where_set(setting, f"or {_matches(trial, 'text')}") for trial in trials]
    either = _indent("\n".join(tests).removeprefix("or "), 12)
    return (
        f"{hints}case\n    when {{{{ matches(text, hints) }}}}\n    then\n        case\n"
        f"            when\n{either}\n"
        f"            then {answer}\n            else {otherwise}\n"
        f"        end\n    else {otherwise}\nend"
    )


def _where_set(setting: str, template: str) -> str:
    """Template text that counts only where the setting is on; dbt knows it as a variable."""
    if not setting:
        return template
    return f"{{%- if var is defined and var('{setting}', false) -%}}{template}{{%- endif -%}}"


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
