"""Ask golden questions of every rung, and measure what each ranks first."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from tamis.evaluation.captures import Label
from tamis.evaluation.golden import Question, load_questions
from tamis.evaluation.intervals import Draws, Interval
from tamis.evaluation.measures import (
    Ranked,
    own_measures,
    standard_measures,
)
from tamis.evaluation.rungs import GROUPED, NOISE, Build, Rung, known_of, read_build, rungs
from tamis.recall.rules import AUTOMATIC, EXPLICIT
from tamis.recall.search import Query, Settings, search
from tamis.recall.store import Store

DEPTH = 100
COUNTED = ("answer", "is_noise", "fresh", "tokens")
# A letter of a script that puts no blank between words is a token of its own.
UNSPACED = r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}]"
SHOWN = 5
RULES = {"automatic": AUTOMATIC, "explicit": EXPLICIT}
STORE = "store"


@dataclass(frozen=True)
class Asked:
    """What one rung of one store made of the questions.

    Attributes:
        store: the store's name.
        rung: the rung's name.
        documents: how many documents it holds.
        values: one row of measures per question that has an answer.
        shown: the texts of the first slots, per question that has an answer.
    """

    store: str
    rung: str
    documents: int
    values: list[dict[str, float]]
    shown: list[list[str]]

    def column(self, measure: str) -> list[float]:
        """A measure of every question."""
        return [row[measure] for row in self.values]


@dataclass(frozen=True)
class Abstention:
    """How the rules that cut lists treat questions, on the curated store.

    Attributes:
        rule: automatic or explicit.
        silent_unanswerable: the share of unanswerable questions that got nothing; None for none.
        silent_answerable: the share of answerable ones that got nothing.
        recall: the share of answers in the cut lists.
    """

    rule: str
    silent_unanswerable: float | None
    silent_answerable: float
    recall: float


@dataclass(frozen=True)
class Losses:
    """What curation cost one store.

    Attributes:
        evidence_lost: answers that were captured and that nothing holds any more.
        never_captured: answers that no event of the store holds.
        false_merges: facts that hold sightings of different texts, where the texts are known.
        refused: how many events were refused.
        falsely_refused: how many of them are sightings of what was really said; None where
            nobody knows.
        noise: how many events are noise; None where nobody knows.
        noise_kept: how many of them were not refused.
    """

    evidence_lost: list[str]
    never_captured: list[str]
    false_merges: int
    refused: int
    falsely_refused: int | None = None
    noise: int | None = None
    noise_kept: int | None = None


@dataclass(frozen=True)
class Evaluation:
    """What golden questions show of the rungs of one or more stores.

    Attributes:
        name: the golden set's name.
        questions: those that have an answer, in the order of every `Asked`.
        asked: every rung of every store.
        draws: what intervals are drawn from; None without questions.
        losses: by store.
        abstention: by store.
        notes: what a reader should know of how it was measured.
    """

    name: str
    questions: list[Question]
    asked: list[Asked]
    draws: Draws | None
    losses: dict[str, Losses]
    abstention: dict[str, list[Abstention]]
    notes: list[str] = field(default_factory=list)

    def of(self, store: str, rung: str) -> Asked:
        """One rung of one store."""
        return next(one for one in self.rungs(store) if one.rung == rung)

    def rungs(self, store: str) -> list[Asked]:
        """Every rung of one store, in order."""
        return [one for one in self.asked if one.store == store]

    @property
    def stores(self) -> list[str]:
        """The stores, in order."""
        return list(dict.fromkeys(one.store for one in self.asked))

    def interval(self, asked: Asked, measure: str) -> Interval:
        """The mean of a measure, with its interval."""
        values = asked.column(measure)
        if self.draws is None:
            return Interval(math.nan, math.nan, math.nan)
        return self.draws.interval(values)


def evaluate(
    published: Path,
    questions: Path | Sequence[Question],
    *,
    home: Path | None = None,
    name: str = "own",
    settings: Settings | None = None,
) -> Evaluation:
    """Ask questions of a published build, rung by rung.

    Args:
        published: the folder of one published build.
        questions: the questions, or a file of them.
        home: its home, where the rung of texts as they were stored is wanted too.
        name: how the golden set is called.
        settings: of the search; the limit and the slots are set by the rungs.

    Raises:
        TamisError: the build or the questions can't be read.
    """
    golden = load_questions(questions) if isinstance(questions, Path) else list(questions)
    build = read_build(published, home)
    golden = [with_texts(one, build) for one in golden]
    asked, losses, abstention = measure_store(STORE, build, golden, settings=settings)
    answerable = [one for one in golden if not one.abstain]
    return Evaluation(
        name,
        answerable,
        asked,
        draws_of(answerable),
        {STORE: losses},
        {STORE: abstention},
    )


def draws_of(questions: Sequence[Question]) -> Draws | None:
    """The draws for questions; those of no conversation are drawn one by one."""
    return Draws([one.conversation for one in questions]) if questions else None


def with_texts(question: Question, build: Build) -> Question:
    """A question whose evidence ids became the clean texts that they stand for."""
    if not question.evidence:
        return question
    ids = list(question.evidence)
    events = build.events.filter(pl.col("event_id").is_in(ids) | pl.col("native_id").is_in(ids))
    facts = build.facts.filter(pl.col("fact_id").is_in(ids))
    texts = [*question.expected, *events["text"], *facts["text"]]
    found = {*events["event_id"], *events["native_id"], *facts["fact_id"]}
    # An id that nothing bears stays as it is: no text equals it, so it counts as not captured.
    texts += [one for one in ids if one not in found]
    return replace(question, expected=tuple(dict.fromkeys(texts)), evidence=())


def measure_store(
    store: str,
    build: Build,
    golden: Sequence[Question],
    *,
    labels: Mapping[str, Label] | None = None,
    settings: Settings | None = None,
) -> tuple[list[Asked], Losses, list[Abstention]]:
    """Ask questions of every rung of one store; their evidence is texts.

    Args:
        store: the store's name.
        build: what is read of its build.
        golden: the questions.
        labels: what is known of planted events.
        settings: of the search.
    """
    chosen = replace(settings or Settings(), limit=DEPTH, rules=None)
    answerable = [one for one in golden if not one.abstain]
    found = rungs(build, labels)
    asked = []
    for rung in found:
        lists = ranked_lists(rung, answerable, replace(chosen, slots=rung.name == GROUPED))
        asked.append(
            Asked(
                store,
                rung.name,
                int(rung.documents["is_current"].sum()),
                measured([one for one, _ in lists], answerable),
                [texts[:SHOWN] for _, texts in lists],
            )
        )
    abstention = [
        abstained(name, found[-1], golden, replace(chosen, rules=rules, slots=True))
        for name, rules in RULES.items()
    ]
    return asked, losses_of(build, answerable, labels), abstention


def measured(
    lists: Sequence[Sequence[Ranked]], questions: Sequence[Question]
) -> list[dict[str, float]]:
    """Every measure of every list."""
    standard = standard_measures(lists, [one.expected for one in questions])
    return [
        row | own_measures(ranked, one.expected, one.forbidden)
        for row, ranked, one in zip(standard, lists, questions, strict=True)
    ]


def ranked_lists(
    rung: Rung, questions: Sequence[Question], settings: Settings
) -> list[tuple[list[Ranked], list[str]]]:
    """The ranked list and its texts for every question.

    A question that names a namespace sees a store of that namespace alone, so that words are as
    rare in it as they are in a home of its own.
    """
    stores: dict[str | None, Store] = {}
    lists = []
    for one in questions:
        if one.namespace not in stores:
            stores[one.namespace] = store_of(rung, one.namespace)
        store = stores[one.namespace]
        query = Query(
            one.question,
            namespace=one.namespace,
            project=one.project,
            as_of=one.as_of,
            everywhere=one.namespace is None,
        )
        hits = search(store, query, settings)
        places = [hit.position for hit in hits]
        rows = store.facts[places] if places else store.facts.clear()
        ranked = [Ranked(*row) for row in rows.select(*COUNTED).iter_rows()]
        lists.append((ranked, rows["text"].to_list()))
    return lists


def store_of(rung: Rung, namespace: str | None) -> Store:
    """What recall searches on a rung, one namespace or all."""
    documents, pairs = rung.documents, rung.pairs
    if namespace is not None:
        documents = documents.filter(pl.col("namespace") == namespace)
        if pairs is not None:
            pairs = pairs.filter(pl.col("fact_id").is_in(documents["fact_id"].implode()))
    spaced = pl.col("text").str.replace_all(UNSPACED, " x ")
    counted = documents.with_columns(tokens=spaced.str.count_matches(r"[\p{L}\p{N}]+"))
    return Store.from_rows(counted, pairs)


def abstained(name: str, rung: Rung, golden: Sequence[Question], settings: Settings) -> Abstention:
    """How one of the rules treats the questions."""
    lists = ranked_lists(rung, golden, settings)
    silent = [not ranked for ranked, _ in lists]
    unanswerable = [quiet for quiet, one in zip(silent, golden, strict=True) if one.abstain]
    answerable = [quiet for quiet, one in zip(silent, golden, strict=True) if not one.abstain]
    shares = [
        len({one.answer for one in ranked}.intersection(asked.expected)) / len(set(asked.expected))
        for (ranked, _), asked in zip(lists, golden, strict=True)
        if not asked.abstain
    ]
    return Abstention(
        name,
        share(unanswerable) if unanswerable else None,
        share(answerable),
        share(shares),
    )


def share(values: Sequence[float]) -> float:
    """The mean; 0 for none."""
    return math.fsum(values) / len(values) if values else 0.0


def losses_of(
    build: Build, questions: Sequence[Question], labels: Mapping[str, Label] | None
) -> Losses:
    """What curation cost: evidence, false merges, false refusals."""
    captured = set(build.events["text"])
    current = set(build.facts.filter("is_current")["text"])
    ever = set(build.facts["text"])
    lost: dict[str, None] = {}
    never: dict[str, None] = {}
    for one in questions:
        kept: Collection[str] = current if one.as_of is None else ever
        for text in one.expected:
            if text not in captured:
                never[text] = None
            elif text not in kept:
                lost[text] = None
    refused = build.events.filter(pl.col("fact_id").is_null())
    if not labels:
        return Losses(list(lost), list(never), 0, refused.height)
    told = build.events.join(known_of(labels), on="native_id")
    merged = (
        told.filter(pl.col("fact_id").is_not_null())
        .group_by("fact_id")
        .agg(pl.col("answer").n_unique())
        .filter(pl.col("answer") > 1)
    )
    # An invention is a statement as good as any: only a person can refuse it.
    is_noise = pl.col("kind").is_in(["noise", "loop"])
    says_something = ~pl.col("kind").is_in(NOISE)
    return Losses(
        list(lost),
        list(never),
        merged.height,
        refused.height,
        told.filter(pl.col("fact_id").is_null() & says_something).height,
        told.filter(is_noise).height,
        told.filter(is_noise & pl.col("fact_id").is_not_null()).height,
    )
