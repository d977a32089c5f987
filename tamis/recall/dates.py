"""The days that a question names, and the facts that were said on them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

Integers = npt.NDArray[np.int16]
Numbers = npt.NDArray[np.float32]

# The names of months in the languages that write them with the letters below, first to last.
_MONTHS = (
    "january jan januar janvier janv enero ene gennaio janeiro januari",
    "february feb februar février févr febrero febbraio fevereiro februari",
    "march mar märz mars marzo março maart",
    "april apr avril avr abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet juil julio luglio julho",
    "august aug août agosto augustus",
    "september sept sep septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dicembre dezembro",
)
_MONTH_NUMBERS = {
    name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()
}
_NAMES = "|".join(sorted(map(re.escape, _MONTH_NUMBERS), key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_NUMERIC = re.compile(
    rf"(?<![\w.])(?P<year>{_YEAR})(?:-|/|\.|\s?[年년]\s?)(?P<month>0?[1-9]|1[0-2])"
    rf"(?:[月월]|(?!\d))(?:(?:-|/|\.|\s?)(?P<day>{_DAY})(?:[日일]|(?!\d)))?"
)
_CJK_MONTH = re.compile(rf"(?<!\d)(?P<month>0?[1-9]|1[0-2])[月월](?:\s?(?P<day>{_DAY})[日일号])?")
_DAY_FIRST = re.compile(
    rf"(?<!\w)(?P<day>{_DAY})(?:st|nd|rd|th|er|º|\.)?\s+(?:of\s+|de\s+)?(?P<month>{_NAMES})\b"
    rf"\.?,?(?:\s+(?:de\s+|of\s+)?(?P<year>{_YEAR})\b)?"
)
_MONTH_FIRST = re.compile(
    rf"(?<!\w)(?P<month>{_NAMES})\b\.?\s+(?P<day>{_DAY})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>{_YEAR})\b)?"
)
_MONTH_OF_YEAR = re.compile(
    rf"(?<!\w)(?P<month>{_NAMES})\b\.?,?\s+(?:of\s+|de\s+)?(?P<year>{_YEAR})\b"
)
# `may` and `mar` are words too: alone they are months only behind a word of time.
_MONTH_ALONE = re.compile(
    rf"\b(?:in|since|until|till|during|last|this|early|late|mid|before|after|im|seit|en|depuis|desde|nel)"
    rf"[\s-]+(?P<month>{_NAMES})\b"
)
_YEAR_ALONE = re.compile(rf"(?<![\w.:/-])(?P<year>{_YEAR})(?![\w:/-]|\.\d)")
_PATTERNS = (
    *(_NUMERIC, _CJK_MONTH, _DAY_FIRST, _MONTH_FIRST, _MONTH_OF_YEAR, _MONTH_ALONE, _YEAR_ALONE),
)


@dataclass(frozen=True)
class NamedDate:
    """A day, a month or a year that a question names; 0 is a part that it leaves open."""

    year: int = 0
    month: int = 0
    day: int = 0


def named_dates(text: str) -> list[NamedDate]:
    """The dates that a text names, in their order; no text is both a month's and a year's."""
    plain = text.casefold()
    found: list[tuple[int, NamedDate]] = []
    for pattern in _PATTERNS:
        rest = []
        end = 0
        for match in pattern.finditer(plain):
            parts = match.groupdict()
            month = parts.get("month") or "0"
            named = NamedDate(
                int(parts.get("year") or 0),
                _MONTH_NUMBERS.get(month) or int(month),
                int(parts.get("day") or 0),
            )
            found.append((match.start(), named))
            # What one pattern took no other one reads again; the places stay as they are.
            rest += [plain[end : match.start()], "\0" * (match.end() - match.start())]
            end = match.end()
        plain = "".join(rest) + plain[end:]
    return list(dict.fromkeys(named for _, named in sorted(found, key=lambda pair: pair[0])))


def calendar(times: pl.Series) -> Integers:
    """Year, month and day of each time as one row, zeros for no time."""
    parts = pl.DataFrame(
        {"year": times.dt.year(), "month": times.dt.month(), "day": times.dt.day()}
    )
    rows: Integers = parts.fill_null(0).to_numpy().astype(np.int16)
    return rows


def date_scores(
    days: Integers, named: Sequence[NamedDate], visible: npt.NDArray[np.bool_]
) -> Numbers:
    """What each fact gets for being said on a day that is asked for.

    Each part of a date weighs as a word of the fact would: by how rare it is among the visible.
    """
    scores = np.zeros(len(days), dtype=np.float32)
    size = int(np.count_nonzero(visible))
    for one in named:
        matching = visible.copy()
        for column, part in enumerate((one.year, one.month, one.day)):
            if not part:
                continue
            # A day counts within its month, and that within its year, where they are named.
            matching &= days[:, column] == part
            held = int(np.count_nonzero(matching))
            scores[matching] += np.float32(np.log1p((size - held + 0.5) / (held + 0.5)))
    return scores
