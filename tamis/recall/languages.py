"""Word stems and function words, by language and by script."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import Stemmer


def _lists() -> dict[str, Any]:
    """The lists of function words that bm25s brings along.

    Only their file is read: the package around it takes half a second to load, and who asks a
    single question has no need of it.
    """
    package = find_spec("bm25s")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'bm25s'", name="bm25s")
    return run_path(str(Path(package.submodule_search_locations[0]) / "stopwords.py"))


_LISTS = _lists()
# Languages of the Latin script that are told apart by their function words.
_FUNCTION_WORDS = {
    "english": _LISTS["STOPWORDS_EN_PLUS"],
    "german": _LISTS["STOPWORDS_GERMAN"],
    "french": _LISTS["STOPWORDS_FRENCH"],
    "spanish": _LISTS["STOPWORDS_SPANISH"],
    "italian": _LISTS["STOPWORDS_ITALIAN"],
    "portuguese": _LISTS["STOPWORDS_PORTUGUESE"],
    "dutch": _LISTS["STOPWORDS_DUTCH"],
    "swedish": _LISTS["STOPWORDS_SWEDISH"],
    "norwegian": _LISTS["STOPWORDS_NORWEGIAN"],
    "danish": _LISTS["STOPWORDS_DANISH"],
    "turkish": _LISTS["STOPWORDS_TURKISH"],
}
# Function words of languages that their script tells, or that are written without blanks.
_OTHER_FUNCTION_WORDS = frozenset(
    {*_LISTS["STOPWORDS_RUSSIAN"], *_LISTS["STOPWORDS_CHINESE"], *_LISTS["STOPWORDS_KOREAN"]}
)
_SCRIPTS = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u04ff", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
_LEAST_FUNCTION_WORDS = 2


def _speakers() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for language, words in _FUNCTION_WORDS.items():
        for word in words:
            found[word].append(language)
    return dict(found)


_SPEAKERS = _speakers()


# Letters of the Latin script with marks, and the letters without them.
_PLAIN = {
    code: base
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (base := unicodedata.normalize("NFD", chr(code))[0]) != chr(code)
}


def unaccented(word: str) -> str:
    """A word without the accents of the Latin script, which many leave out when they type."""
    return word if word.isascii() else word.translate(_PLAIN)


def language_of(words: Sequence[str]) -> str:
    """The language of the Latin script whose function words are the most; English in doubt."""
    found = [_SPEAKERS[word] for word in words if word in _SPEAKERS]
    if all("english" in languages for languages in found):
        return "english"
    counts = Counter(language for languages in found for language in languages)
    language, count = max(counts.items(), key=lambda pair: (pair[1], pair[0] == "english"))
    return language if count >= _LEAST_FUNCTION_WORDS else "english"


def is_function_word(word: str, language: str) -> bool:
    """Whether a word says nothing of what a question in a language is about."""
    known = _FUNCTION_WORDS[language]
    return word in known or unaccented(word) in known or word in _OTHER_FUNCTION_WORDS


def stems(words: Sequence[str], language: str) -> list[str]:
    """The stem of each word, and behind them those of its language that differ.

    Words of the Latin script have the stem that English gives them, whatever their language: a
    short question tells too little of its own, and has to find them. Other scripts tell theirs.
    """
    found = _stemmer("english").stemWords(list(words))
    if not "".join(words).isascii():
        for place, word in enumerate(words):
            other = next((name for least, most, name in _SCRIPTS if least <= word[0] <= most), "")
            if other:
                found[place] = _stemmer(other).stemWord(word)
    found = [unaccented(stem) for stem in found]
    if language != "english":
        own = [unaccented(stem) for stem in _stemmer(language).stemWords(list(words))]
        found += [one for one, base in zip(own, found, strict=False) if one != base]
    return found


@cache
def _stemmer(language: str) -> Any:
    return Stemmer.Stemmer(language)
