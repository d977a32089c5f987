"""The macros that find secrets and replace them by their kind."""

from collections.abc import Sequence

from tamis.rules.macro_text import indent, jinja_literal, macro, matches
from tamis.rules.patterns import literal, scoped
from tamis.rules.rows import SecretPattern

# How many patterns of secrets one automaton tries: with more it would be made anew all the time.
PATTERNS_AT_A_TIME = 5


def redact_secrets_macro(secrets: Sequence[SecretPattern]) -> str:
    replacements = "\n".join(
        _where_set(
            secret.setting,
            "{%- set redacted = replace_all(redacted, "
            f"{jinja_literal(secret.pattern)}, {jinja_literal(secret.replacement)}) -%}}",
        )
        for secret in secrets
    )
    return macro(
        "redact_secrets(text)",
        "The text with every secret replaced by its kind; what holds none stays as it is.",
        "{%- set redacted = text -%}\n"
        + replacements
        + "\n"
        + _where_suspicious(secrets, "{{ redacted }}", "{{ text }}"),
    )


def secret_kinds_macro(secrets: Sequence[SecretPattern]) -> str:
    kinds = "\n".join(
        _where_set(
            secret.setting,
            f"case when {matches(secret.pattern, 'text')} then '{secret.kind}' end,",
        )
        for secret in secrets
    )
    return macro(
        "secret_kinds(text)",
        "The kinds of secrets that an unredacted text holds, sorted; an empty list where none.",
        "{%- set kinds -%}\n"
        + indent(kinds)
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
        value = f"hints ~ {jinja_literal(f'|{found}')}" if setting else jinja_literal(found)
        hints += _where_set(setting, f"{{%- set hints = {value} -%}}") + "\n"
        if rare:
            trials.insert(0, "|".join(dict.fromkeys(rare)))
        tests += [_where_set(setting, f"or {matches(trial, 'text')}") for trial in trials]
    either = indent("\n".join(tests).removeprefix("or "), 12)
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
