"""The portable subset of regular expressions, and many patterns tested as one."""

import re

import duckdb
import pytest

from tamis.rules.patterns import any_of, literal, portability_problem, scoped


@pytest.mark.parametrize(
    "patterns",
    [
        ["^ok$", "(?i)^yes[.!]?$"],
        ["^a|b", "^c$"],
        ["^[$^]+$", r"^\$5$", "free"],
        ["(?i)^(?:x$|y)"],
    ],
)
def test_one_alternation_covers_its_patterns(patterns: list[str]) -> None:
    texts = ["ok", "YES!", "a", "xb", "c", "cc", "$^", "$5", "very free", "X", "yes", "y and", "no"]
    together = any_of(patterns)
    for text in texts:
        alone = any(re.search(pattern, text) for pattern in patterns)
        for loose in (text, f"\n\u3000{text}\ufeff \n"):
            assert bool(re.search(together, loose)) >= alone, (text, loose)


@pytest.mark.parametrize(
    "pattern",
    ["a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?>a)", "(?P<n>a)", r"(a)\1", "a*+", "a{2}+", "a++",
     r"\p{L}", r"\Z", r"\u0041", "[[a]", "[a&&b]", "a{x}", "a(", ""],
)  # fmt: skip
def test_a_pattern_outside_the_portable_subset_is_named(pattern: str) -> None:
    assert portability_problem(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        "^ok[.!]?$",
        "(?i)^yes",
        r"a{2,3}",
        r"\[x\]",
        r"[^\]\[]+",
        r"\{\}",
        "[+*]+",
        "(?:a|b)+",
        "–—[a-]",
    ],
)
def test_a_pattern_of_the_portable_subset_passes(pattern: str) -> None:
    assert portability_problem(pattern) is None


def test_a_literal_matches_itself_only() -> None:
    text = r"a.b*c[d](e)|f\g{h}$^?+ 鍵"
    for found in (
        re.fullmatch(literal(text), text),
        re.fullmatch(scoped(f"(?i){literal(text)}"), text.upper()),
    ):
        assert found is not None
    assert portability_problem(literal(text)) is None
    assert re.search(literal(text), text.replace(".", "x")) is None
    assert duckdb.execute("select regexp_matches(?, ?)", [text, literal(text)]).fetchone() == (
        True,
    )
