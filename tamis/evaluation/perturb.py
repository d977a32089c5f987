"""Small changes to a text: near copies that say the same, and stale twins that say another."""

import random
import re
from collections.abc import Callable

CONTRACTIONS = (("I am", "I'm"), ("It is", "It's"), ("do not", "don't"), ("have not", "haven't"))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
FAMILIES = (WEEKDAYS, MONTHS, COUNTS)
NUMBER = re.compile(r"\b[0-9]+\b")
NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]{3,})\b")
SHORTENED = 0.8


def upper(text: str, chance: random.Random) -> str:
    """As if shouted."""
    return text.upper()


def lower(text: str, chance: random.Random) -> str:
    """As if typed in haste."""
    return text.lower()


def unmarked(text: str, chance: random.Random) -> str:
    """Without the marks between the words."""
    return re.sub(r"[,.!?;](?=\s|$)", "", text)


def excited(text: str, chance: random.Random) -> str:
    """With marks more."""
    return text.rstrip(".!?") + "!!"


def cut(text: str, chance: random.Random) -> str:
    """The first four fifths, as a window that was too small leaves them."""
    return text[: int(len(text) * SHORTENED)].rstrip() + "…"


def quoted(text: str, chance: random.Random) -> str:
    """Within quotation marks."""
    return f"“{text}”"


def reported(text: str, chance: random.Random) -> str:
    """As another one's words."""
    return f"User said: {text}"


def contracted(text: str, chance: random.Random) -> str:
    """Shorter or longer forms of the same words."""
    for long, short in CONTRACTIONS:
        if long in text:
            return text.replace(long, short)
        if short in text:
            return text.replace(short, long)
    return excited(text, chance)


CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    upper,
    lower,
    unmarked,
    excited,
    cut,
    quoted,
    reported,
    contracted,
)


def near_copy(text: str, chance: random.Random) -> str:
    """The text with one or two small changes that leave its meaning."""
    changes = chance.sample(CHANGES, chance.choice((1, 1, 2)))
    for change in changes:
        text = change(text, chance)
    return text


def stale_twin(text: str, chance: random.Random) -> str | None:
    """The text with one number, day, month, count or name changed; None where it holds none."""
    words = "|".join(re.escape(word) for family in FAMILIES for word in family)
    found = [
        *NUMBER.finditer(text),
        *re.finditer(rf"\b(?:{words})\b", text),
        *NAME.finditer(text),
    ]
    if not found:
        return None
    chosen = found[0] if len(found) == 1 else chance.choice(found)
    other = another(chosen[0], chance)
    return text[: chosen.start()] + other + text[chosen.end() :]


def another(word: str, chance: random.Random) -> str:
    """A word of the same family, and never the same."""
    if word.isdigit():
        return str(int(word) + chance.randint(1, 9))
    for family in FAMILIES:
        if word in family:
            return chance.choice([one for one in family if one != word])
    return chance.choice([one for one in ("Lindholm", "Marrakesh", "Osprey") if one != word])
