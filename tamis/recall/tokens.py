"""Words of any language, as they are indexed and asked for."""

import re
import unicodedata

from tamis.recall.languages import is_function_word, language_of, stems

# Scripts that put no blank between words: Hangul, kana, the ideographs, Thai, Lao, Burmese, Khmer.
_UNSPACED = (
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
)
# Vowel signs of the scripts of India are no letters to Python, and stand inside words.
_SIGNS = "\u0900-\u0963\u0966-\u0dff"
_RUN = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|(?:[^\W_{_UNSPACED}]|[{_SIGNS}])+")
_ASCII_RUN = re.compile("[a-z0-9]+")

# Vowel points of Hebrew and Arabic and the stretching stroke: written or left out at will.
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"
)

# Nobody asks a million characters; what stands behind is not looked for.
LONGEST_QUESTION = 20_000


def tokenize(text: str) -> list[str]:
    """Split a text into the tokens that are indexed.

    Words are runs of letters and digits, case-folded after NFKC, and reduced to their stems. A
    run of a script that puts no blank between words becomes its overlapping pairs of characters
    (one character stays as it is), since such runs hold words, endings and whole clauses.
    """
    words, pairs = _split(text)
    return stems(words, language_of(words)) + pairs


def question_tokens(text: str) -> list[str]:
    """The tokens of a question, without function words where it has any others."""
    words, pairs = _split(text[:LONGEST_QUESTION])
    language = language_of(words)
    telling = [word for word in words if not is_function_word(word, language)]
    telling_pairs = [pair for pair in pairs if not is_function_word(pair, language)]
    if not telling and not telling_pairs:
        telling, telling_pairs = words, pairs
    return stems(telling, language) + telling_pairs


def _split(text: str) -> tuple[list[str], list[str]]:
    """Words of scripts with blanks, and pairs of characters of those without."""
    if text.isascii():
        return _ASCII_RUN.findall(text.lower()), []
    plain = _POINTS.sub("", unicodedata.normalize("NFKC", text).casefold())
    words: list[str] = []
    pairs: list[str] = []
    for match in _RUN.finditer(plain):
        run = match.group()
        if not match.group("unspaced"):
            words.append(run)
        elif len(run) > 1:
            pairs.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            pairs.append(run)
    return words, pairs
