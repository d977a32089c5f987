"""The macros that find secrets and replace them by their kind."""

from collections.abc import Sequence

from tamis.rules.macro_text import indent, jinja_literal, macro, matches
from tamis.rules.patterns import literal, scoped
from tamis.rules.rows import SecretPattern

# How many patterns of secrets one automaton tries: with more it would be made anew all the time.
PATTERNS_AT_A_TIME = 4


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
        + "\ncase when {{ may_hold_secret(text) }} then {{ redacted }} else {{ text }} end",
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
        + "case\n    when {{ may_hold_secret(text) }}\n    then {{ set_of(kinds) }}\n"
        + "    else {{ set_of('cast(null as varchar)') }}\nend",
    )


def may_hold_secret_macro(secrets: Sequence[SecretPattern]) -> str:
    """The test that spares nearly all texts the patterns one by one.

    First comes what an engine tries at the speed of reading and most texts fail: rare literals, and
    what stands before the other secrets. Of those, a few patterns are tried at a time: together
    they would be more than an engine's automaton holds.
    """
    hints: list[str] = []
    tests: list[str] = []
    for setting in dict.fromkeys(secret.setting for secret in secrets):
        rows = [secret for secret in secrets if secret.setting == setting]
        rare = [literal(text) for secret in rows for text in secret.contains]
        tried = [secret for secret in rows if not secret.contains]
        groups = [
            tried[start : start + PATTERNS_AT_A_TIME]
            for start in range(0, len(tried), PATTERNS_AT_A_TIME)
        ]
        unnamed = [scoped(secret.pattern) for secret in tried if not secret.mentions]
        mentioned = [_mention(secret) for secret in tried if secret.mentions]
        for found in ([*rare, *unnamed], mentioned):
            if found:
                hints.append(_where_set(setting, f"or {matches(_any(found), 'text')}"))
        if rare:
            tests.append(_where_set(setting, f"or {matches(_any(rare), 'text')}"))
        for group in groups:
            mention = matches(_any([_mention(secret) for secret in group]), "text")
            pattern = matches(_any([scoped(secret.pattern) for secret in group]), "text")
            tests.append(_where_set(setting, f"or {mention} and {pattern}"))
    first = indent("\n".join(hints).removeprefix("or "), 8)
    then = indent("\n".join(tests).removeprefix("or "), 8)
    return macro(
        "may_hold_secret(text)",
        "Whether one of the patterns of secrets may match a text: few texts are told apart slowly.",
        f"case\n    when\n{first}\n    then\n{then}\n    else false\nend",
    )


def _mention(secret: SecretPattern) -> str:
    """What a text with such a secret matches: the pattern itself where nothing cheaper does."""
    return f"(?i:{secret.mentions})" if secret.mentions else scoped(secret.pattern)


def _any(patterns: Sequence[str]) -> str:
    return "|".join(dict.fromkeys(patterns))


def _where_set(setting: str, template: str) -> str:
    """Template text that counts only where the setting is on; dbt knows it as a variable."""
    if not setting:
        return template
    return f"{{%- if var is defined and var('{setting}', false) -%}}{template}{{%- endif -%}}"
