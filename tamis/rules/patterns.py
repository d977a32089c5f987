"""What a regular expression of the seeds may use: what RE2, Java and Rust read alike."""

import re
from collections.abc import Sequence

# Escapes that all three engines and Python read alike.
ESCAPED_LETTERS = "dDsSwWbBnrtfx"
# What may stand around a text that nobody trimmed yet: Unicode white space, byte order marks.
SPACE = "[\\s\x0b\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"


def portability_problem(pattern: str) -> str | None:
    """What keeps a pattern from meaning the same to RE2, Java and Rust, or None.

    Args:
        pattern: a regular expression.

    Returns:
        one clause for an error message, None for a pattern of the portable subset.
    """
    if not pattern:
        return "it is empty"
    pieces = _pieces(pattern)
    for text, is_class in pieces:
        problem = _class_problem(text) if is_class else _token_problem(text)
        if problem is not None:
            return problem
    outside = "".join("." if is_class or text[0] == "\\" else text for text, is_class in pieces)
    if re.search(r"[*+?}]\+", outside):
        return "a possessive quantifier"
    if "{" in re.sub(r"\{[0-9]+(?:,[0-9]*)?\}", "", outside):
        return "a bare { that counts nothing, which Java refuses: write \\{"
    try:
        re.compile(pattern)
    except re.error as error:
        return str(error)
    return None


def any_of(patterns: Sequence[str]) -> str:
    """One pattern that matches wherever one of the patterns would, on trimmed text or not.

    Args:
        patterns: regular expressions of the portable subset, flags in front at most.

    Returns:
        their alternation; the anchored ones share one anchor, which lets an engine stop early.
    """
    anchored: list[str] = []
    free: list[str] = []
    for pattern in patterns:
        flags, rest = _flags(pattern)
        loose = "".join(
            text if is_class else {"^": f"^{SPACE}", "$": f"{SPACE}$"}.get(text, text)
            for text, is_class in _pieces(rest)
        )
        if at_beginning(pattern):
            anchored.append(f"(?{flags}:{loose.removeprefix(f'^{SPACE}')})")
        else:
            free.append(f"(?{flags}:{loose})")
    head = [f"^{SPACE}(?:{'|'.join(anchored)})"] if anchored else []
    return "|".join(head + free)


def at_beginning(pattern: str) -> bool:
    """Whether a pattern can match at the beginning of a text alone."""
    flags, rest = _flags(pattern)
    return "m" not in flags and rest.startswith("^") and not _has_bare_alternative(rest)


def scoped(pattern: str) -> str:
    """A pattern as a group that keeps its flags to itself, to stand among others."""
    flags, rest = _flags(pattern)
    return f"(?{flags}:{rest})"


def literal(text: str) -> str:
    """A pattern that matches a text and nothing else."""
    return re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", text)


def _flags(pattern: str) -> tuple[str, str]:
    flags = re.match(r"\(\?([ims]+)\)", pattern)
    return (flags[1], pattern[flags.end() :]) if flags else ("", pattern)


def _has_bare_alternative(pattern: str) -> bool:
    # Its `^` belongs to the first branch alone.
    depth = 0
    for text, is_class in _pieces(pattern):
        if is_class:
            continue
        depth += text.startswith("(") - (text == ")")
        if text == "|" and depth == 0:
            return True
    return False


def _pieces(pattern: str) -> list[tuple[str, bool]]:
    """The pattern's escapes, group heads, characters, and whole classes (marked True)."""
    found = re.findall(r"(?s)(\[\^?\]?(?:\\.|[^\]\\])*\])|(\\.|\(\?<?[^\s)]|.)", pattern)
    return [(whole or token, bool(whole)) for whole, token in found]


def _token_problem(text: str) -> str | None:
    if text.startswith("\\"):
        return _escape_problem(text)
    if text.startswith("(?") and text[2] not in ":ims-":
        return f"{text} opens a lookaround, a named or an atomic group"
    return None


def _class_problem(text: str) -> str | None:
    inner = text[2:-1] if text.startswith("[^") else text[1:-1]
    for escape in re.findall(r"(?s)\\.", inner):
        problem = _escape_problem(escape)
        if problem is not None or escape in ("\\b", "\\B"):
            return problem or f"{escape} in a class"
    bare = re.sub(r"(?s)\\.", "", inner)
    if "[" in bare:
        return "a bare [ in a class, which Java and Rust nest"
    if "&&" in bare or "~~" in bare or re.search(r"(?<=.)--", bare):
        return "a set operation in a class"
    return None


def _escape_problem(escape: str) -> str | None:
    letter = escape[1]
    if letter.isdigit():
        return f"{escape} refers back to a group"
    if letter.isalpha() and letter not in ESCAPED_LETTERS:
        return f"{escape} differs between engines"
    if not letter.isalpha() and (not letter.isascii() or letter in "<> \n"):
        return f"{escape} escapes a character that needs none"
    return None
