"""The reviewed rows of seeds/ become the SQL macros that judge a text.

Patterns are fast only as constants, so the rows are rendered into macros, which are committed:
`python -m tamis.rules` writes them again after a row changed, and docs/rules.md with them.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from tamis.patterns import any_of, at_beginning, literal, scoped
from tamis.rule_rows import (
    DedupPolicy,
    KeptException,
    NoiseRule,
    SecretPattern,
    Seeds,
    checked,
    policy_in_force,
    read_seeds,
    version_of,
)

# The column that a noise rule reads, as a macro's argument.
BODY = "'body'"
# Of how many characters an alternation may be: RE2's automaton of a longer one outgrows its
# memory, and each body is then read several times slower.
LONGEST_GUARD = 9_000
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
    render_seeds(read_seeds(seeds), target)


def render_seeds(seeds: Seeds, target: Path) -> None:
    """Write the macros of rows that were read already; as `render_rules`."""
    rules, secrets, exceptions = checked(seeds)
    policy = policy_in_force(seeds["dedup_policies"])
    macros = {
        "dedup_policy": _dedup_policy_macro(policy),
        "noise_rule": _noise_rule_macro(rules, exceptions),
        "noise_match": _noise_match_macro(rules),
        "machine_kind": _machine_kind_macro(rules, exceptions),
        "answered_as": _answered_as_macro(rules, exceptions),
        "redact_secrets": _redact_secrets_macro(secrets),
        "secret_kinds": _secret_kinds_macro(secrets),
        "rules_version": _macro(
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
                steps.append(_case(branches))
    return _macro(
        "noise_rule()",
        "The id of the first noise rule that refuses the event at hand, or NULL.",
        "coalesce(\n" + _indent(",\n".join([*steps, "null"])) + "\n)",
    )


def _noise_match_macro(rules: Sequence[NoiseRule]) -> str:
    branches = []
    for rule in rules:
        spans = ", ".join(_span(pattern) for pattern in rule.patterns)
        if spans:
            found = f"coalesce({spans})" if len(rule.patterns) > 1 else spans
            branches.append(f"when '{rule.rule_id}' then {found}")
    return _macro(
        "noise_match(rule_id, text)",
        "Where a noise rule's pattern matches in a text, as position and length; NULL where the "
        "rule has none.",
        "case {{ rule_id }}\n" + _indent("\n".join(branches)) + "\nend" if branches else "null",
    )


def _span(pattern: str) -> str:
    place = ", at_beginning=true" if at_beginning(pattern) else ""
    return f"{{{{ match_span(text, {_literal(scoped(pattern))}{place}) }}}}"


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
    return _macro(
        "machine_kind(text)",
        "What machine text of a user's role is instead of a turn: prompt, system, summary or NULL.",
        _staged(exceptions, [(rule, rule.staged_as) for rule in rules if rule.is_staged]),
    )


def _answered_as_macro(rules: Sequence[NoiseRule], exceptions: Sequence[KeptException]) -> str:
    return _macro(
        "answered_as(text)",
        "What started the answers to a text of a user's role: a timer's or a gateway's prompt, a"
        " turn, or NULL where machine text asks for nothing.",
        "case\n    when {{ machine_kind(text) }} is null\n    then 'turn'\n    else\n"
        + _indent(
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
    branches = [
        f"when {_matches(any_of(rule.patterns), 'text')} then '{word}'" for rule, word in words
    ]
    kept = [any_of([exception.pattern]) for exception in exceptions]
    patterns = [pattern for rule, _ in words for pattern in rule.patterns]
    return _gated(_guard(patterns, kept, "text"), branches)


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


def _dedup_policy_macro(policy: DedupPolicy) -> str:
    fields = ", ".join(
        f"{_literal(name)}: {_literal(value)}" for name, value in asdict(policy).items()
    )
    return _macro(
        "dedup_policy(field)",
        "A field of the policy in force, which says when a statement is stored again.",
        f"{{{{- {{{fields}}}[field] -}}}}",
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


def _tests(rule: NoiseRule, kept: Sequence[str]) -> list[str]:
    tests = [f"({_template(rule.condition)})"] if rule.condition else []
    if rule.least_matches > 1:
        counted = " + ".join(
            f"cast({_matches(pattern, BODY)} as integer)" for pattern in rule.patterns
        )
        tests.append(f"{counted} >= {rule.least_matches}")
    else:
        tests += [_matches(pattern, BODY) for pattern in rule.patterns]
    return tests + [f"not {_matches(pattern, BODY)}" for pattern in kept if rule.patterns]


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
    from tamis.rule_docs import with_tables

    PROJECT = Path(__file__).resolve().parents[1]
    render_rules(PROJECT / "seeds", PROJECT / "macros" / "rules")
    PAGE = PROJECT / "docs" / "rules.md"
    PAGE.write_text(with_tables(PAGE.read_text("utf-8"), PROJECT / "seeds"), "utf-8")
