"""The words of a text in any language."""

import re
import unicodedata

# Scripts that put no blank between words: Hangul, kana and the ideographs.
_UNSPACED = (
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|[^\W_{_UNSPACED}]+")


def tokenize(text: str) -> list[str]:
    """Split a text into the tokens that are indexed.

    Words are runs of letters and digits, case-folded after NFKC. A run of Hangul, kana or
    ideographs becomes its overlapping pairs of characters (one character stays as it is), since
    such runs hold words, endings and whole clauses without a blank between them. There are no stop
    words and no stemming: both differ by language, and one store holds many.
    """
    tokens: list[str] = []
    for match in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        run = match.group()
        if match.group("unspaced") and len(run) > 1:
            tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            tokens.append(run)
    return tokens
