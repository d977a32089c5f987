"""Which memories a query selects: those that hold most of its words, then the most recent.

The contract `memory-context/v1` counts words that stand anywhere in a memory, inside other words
too: `port` is found in `report`. That is kept to the letter here, since a head, a query and a limit
must select what Lethe selects; `tamis recall` searches by whole words and their meaning.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from tamis.memory_git.projection import Memory

USUAL_LIMIT = 20
LARGEST_LIMIT = 100
SHORTEST_TOKEN_BYTES = 3


def query_tokens(query: str) -> frozenset[str]:
    """The distinct words of a query: letters and numbers, three bytes of UTF-8 or longer."""
    letters = "".join(one if is_letter_or_number(one) else " " for one in lowered(query))
    return frozenset(word for word in letters.split() if is_long_enough(word))


def is_letter_or_number(character: str) -> bool:
    """Whether Unicode calls it a letter or a number; a combining mark is neither."""
    return unicodedata.category(character)[0] in "LN"


def is_long_enough(word: str) -> bool:
    """Whether a word says enough to search for; one ideograph does, one accented letter not."""
    return len(word.encode("utf-8", "surrogatepass")) >= SHORTEST_TOKEN_BYTES


def lowered(text: str) -> str:
    """A text in lower case, letter by letter: a sigma is the same sigma wherever it stands."""
    return text.replace("İ", "i").replace("Σ", "σ").lower()


def score(memory: Memory, tokens: frozenset[str]) -> int:
    """How many of the tokens stand in the memory's text, kind, scope or tags."""
    if not tokens:
        return 0
    said = lowered(" ".join((memory.content, memory.kind, memory.scope, " ".join(memory.tags))))
    return sum(token in said for token in tokens)


def ranked(memories: Iterable[Memory], query: str) -> list[tuple[int, Memory]]:
    """Memories with their scores: the best first, then the most recent, then by id."""
    tokens = query_tokens(query)
    scored = [(score(memory, tokens), memory) for memory in memories]
    return sorted(scored, key=lambda one: (-one[0], -one[1].order, one[1].memory_id))


def selected(
    scored: Sequence[tuple[int, Memory]], limit: int
) -> tuple[Sequence[tuple[int, Memory]], Sequence[tuple[int, Memory]]]:
    """The first memories, and the others; 20 unless the limit says how many, never over 100."""
    count = min(limit, LARGEST_LIMIT) if limit > 0 else USUAL_LIMIT
    return scored[:count], scored[count:]
