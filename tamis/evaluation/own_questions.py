"""Questions about a store that nobody wrote: a fact's own words, without what is rarest in it."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tamis.evaluation.golden import Question
from tamis.recall.store import read_facts
from tamis.recall.tokens import question_tokens

MASKED = "masked"
_WORD = re.compile(r"\w(?:[\w.:/@-]*\w)?")
_SENTENCE_END = re.compile(r"(?:^|[.!?:]|\n)\W*$")
LEAST_WORDS, MOST_WORDS = 4, 60


def masked_questions(published: Path, most: int = 200, seed: int = 7) -> list[Question]:
    """Questions from the current facts of a published build, the same each time.

    Of a fact the rarest name or number is taken out, and the rest asks for the fact. A fact without
    one asks nothing; nor do several that ask the same, since then nobody knows which is meant.

    Args:
        published: the folder of one published build.
        most: how many questions at most.
        seed: of which facts ask, where there are more.
    """
    facts = read_facts(published).filter("is_current")
    held = Counter(word for text in facts["text"] for word in set(question_tokens(text)))
    asking: dict[tuple[str, ...], list[Question]] = {}
    for text, namespace in facts.select("text", "namespace").iter_rows():
        asked = masked(text, held)
        words = tuple(question_tokens(asked)) if asked else ()
        if LEAST_WORDS <= len(set(words)) <= MOST_WORDS:
            question = Question(asked, expected=(text,), namespace=namespace, category=MASKED)
            asking.setdefault((namespace, *sorted(set(words))), []).append(question)
    questions = [same[0] for same in asking.values() if len(same) == 1]
    if len(questions) <= most:
        return questions
    chosen = sorted(random.Random(seed).sample(range(len(questions)), most))
    return [questions[place] for place in chosen]


def masked(text: str, held: Counter[str]) -> str:
    """A text without its rarest name or number, wherever that stands; empty where it has none.

    Args:
        text: a fact's text.
        held: how many facts hold each token.
    """
    found = {
        name: min((held[word] for word in question_tokens(name)), default=0)
        for name in entities(text)
    }
    rare = [name for name, count in found.items() if count]
    if not rare:
        return ""
    rarest = min(rare, key=lambda name: (found[name], -len(name), name))
    return " ".join(re.sub(rf"(?<!\w){re.escape(rarest)}(?!\w)", " ", text).split())


def entities(text: str) -> Iterator[str]:
    """The names and numbers of a text: what holds a digit, or a capital inside a sentence."""
    for match in _WORD.finditer(text):
        word = match.group()
        begins = _SENTENCE_END.search(text, max(match.start() - 9, 0), match.start()) is not None
        has_capital = any(letter.isupper() for letter in word[1:]) or (
            word[0].isupper() and not begins
        )
        if any(letter.isdigit() for letter in word) or has_capital:
            yield word
