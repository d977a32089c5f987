"""Rank facts for a question: each step can be left out, and says what it gave."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tamis.recall.dates import date_scores, named_dates
from tamis.recall.encoders import load_encoder
from tamis.recall.fusion import bm25_share, by_ranks, by_scores
from tamis.recall.postings import bm25
from tamis.recall.rules import Rules, Scale
from tamis.recall.store import Store
from tamis.recall.tokens import LONGEST_QUESTION, question_tokens
from tamis.recall.vectors import nearest
from tamis.session_keys import is_non_interactive

Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Query:
    """What is asked, by whom, of which part of a store.

    Attributes:
        text: the question, in any language; the first 20,000 characters are read.
        namespace: whose memory; without it the named agent's of the session key (a subagent
            reads its parent's), else ``agent``'s, else the user's own.
        agent: whose memory, where the session key names nobody.
        project: a project's key; facts of unknown project are searched too. None searches all.
        only_projects: keys of projects; facts of no other are searched, nor of the unknown one.
            Empty searches as ``project`` says.
        worktree: a linked worktree; facts of no worktree are searched too. None searches all.
        session_key, trigger: who asks; machines get no facts.
        as_of: a naive UTC time; facts that held at it, instead of the current ones.
        known_at: a naive UTC time; what was known then, instead of what is known now.
        is_new_session: the question opens a session; the rules may broaden it.
        everywhere: all namespaces are searched; for measuring a store as a whole.
    """

    text: str
    namespace: str | None = None
    agent: str | None = None
    project: str | None = None
    only_projects: tuple[str, ...] = ()
    worktree: str | None = None
    session_key: str | None = None
    trigger: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    is_new_session: bool = False
    everywhere: bool = False


@dataclass(frozen=True)
class Settings:
    """Which steps rank, and how.

    Attributes:
        limit: the most facts; None for all that were found.
        bm25, dense, neighbours, dates, recency, slots: the steps, each on or off. ``dense``
            needs a store with vectors, and is passed over in others.
        rules: what is dropped of the ranked list; None drops nothing.
        k1, b: of BM25: how soon repeats of a word stop counting, and how much long facts lose.
        before_weight, after_weight: the share of its neighbours' scores that a fact gets.
        date_weight: what a part of a date weighs beside a word that is as rare.
        fusion: how words and vectors are put together: ``ranks`` by reciprocal rank fusion,
            ``scores`` as mem0 adds them up, vectors having the word.
        rank_constant, dense_weight: of the former: a list adds weight / (constant + rank).
            Cormack, Clarke and Büttcher (2009) have 60, and all lists weigh alike.
        least_cosine: of the latter: who is less alike is not ranked. mem0: 0.1.
        half_life_days, recency_weight: a fact of today gets this share more, one that is so
            many days older half of that.
        candidates: how many facts of each list are fused and looked at.
        scale: how scores become relevances; None takes the one of the steps in use.
    """

    limit: int | None = 10
    bm25: bool = True
    dense: bool = True
    neighbours: bool = True
    dates: bool = True
    recency: bool = False
    slots: bool = True
    rules: Rules | None = None
    k1: float = 0.9
    b: float = 0.3
    before_weight: float = 0.4
    after_weight: float = 0.1
    date_weight: float = 1.0
    fusion: Literal["ranks", "scores"] = "ranks"
    rank_constant: float = 10.0
    dense_weight: float = 0.3
    least_cosine: float = 0.1
    half_life_days: float = 90.0
    recency_weight: float = 0.1
    candidates: int = 1000
    scale: Scale | None = None

    @property
    def depth(self) -> int | None:
        """How many facts of each list are looked at; None for all."""
        return None if self.limit is None else max(self.candidates, self.limit)


@dataclass(frozen=True)
class Hit:
    """A fact that was found.

    Attributes:
        fact_id: the fact.
        position: its row in the store's facts.
        score: what it is ranked by; comparable within one list only.
        relevance: from 0 to 1, what thresholds are compared with.
        parts: what each step gave it: ``bm25``, ``neighbours``, ``dates``, ``dense`` (the
            cosine), ``recency``, ``standing`` (of broad recall), and ``raw``, what the relevance
            is made from.
        stands_for: the other facts of its group of near duplicates that it shows in its slot.
        is_broad: it came by broad recall, and not for the question.
    """

    fact_id: str
    position: int
    score: float
    relevance: float
    parts: dict[str, float] = field(default_factory=dict)
    stands_for: tuple[str, ...] = ()
    is_broad: bool = False


# On LoCoMo's training conversations, see docs/recall.md.
WORDS_SCALE = Scale(0.216, 25.1)
DENSE_SCALE = Scale(0.292, 31.7)

DEFAULT = Settings()


def search(store: Store, query: Query, settings: Settings = DEFAULT) -> list[Hit]:
    """Rank the facts that answer a query; the same store always gives the same answer.

    Equal scores stand newest first by valid time, then in the order of their positions.
    """
    if is_non_interactive(query.trigger, query.session_key):
        return []
    rules = settings.rules
    text = query.text[:LONGEST_QUESTION]
    if rules is not None and rules.asks_nothing(text):
        return []
    visible = store.visible(query)
    ranking = _ranked(store, text, visible, settings, query.as_of)
    # Rules look at twice as many facts as they tell, as mem0 fetches them.
    wanted = settings.limit if rules is None else rules.looked_at
    hits = _slotted(store, ranking, visible, settings, wanted)
    if rules is not None:
        hits = _ruled(store, query, text, visible, rules, hits)
    return hits if settings.limit is None else hits[: settings.limit]


@dataclass(frozen=True)
class _Ranking:
    """Positions, best first, and beside each its score, its raw score and its parts."""

    places: Positions
    score: Numbers
    raw: Numbers
    parts: dict[str, Numbers]


def _ranked(
    store: Store, text: str, visible: Flags, settings: Settings, as_of: datetime | None
) -> _Ranking:
    words = _by_words(store, text, visible, settings)
    near = _by_vectors(store, text, visible, settings)
    places = np.union1d(words.places, near.places)
    parts = {name: _spread(words.places, values, places) for name, values in words.parts.items()}
    score = _spread(words.places, words.total, places)
    raw = np.minimum(score / max(words.most, 1e-9), 1.0)
    newest = store.index.newest_first[places]
    if store.index.vectors is not None and settings.dense:
        parts["dense"] = _spread(near.places, near.total, places)
        raw = (raw + np.maximum(parts["dense"], 0)) / 2
        if settings.fusion == "scores":
            shares = bm25_share(score, words.terms) if len(words.places) else None
            score = by_scores(parts["dense"], shares, floor=settings.least_cosine)
        else:
            orders = []
            for one in (words, near):
                at = np.searchsorted(places, one.places)
                orders.append(at[np.lexsort((newest[at], -one.total))])
            weights = (1.0, settings.dense_weight)
            score = by_ranks(orders, weights, len(places), settings.rank_constant)
    if settings.recency and len(places):
        parts["recency"] = store.recency(places, visible, as_of, settings.half_life_days)
        score = score * (1 + settings.recency_weight * parts["recency"])
    order = np.lexsort((newest, -score))
    order = order[~np.isnan(score[order])]
    return _Ranking(
        places[order],
        score[order],
        raw[order],
        {name: values[order] for name, values in parts.items()},
    )


@dataclass(frozen=True)
class _Found:
    """Positions in ascending order, what each was given in all and by each step."""

    places: Positions
    total: Numbers
    parts: dict[str, Numbers] = field(default_factory=dict)
    most: float = 0.0
    terms: int = 0


_NOTHING = _Found(np.zeros(0, dtype=np.int64), np.zeros(0))


def _by_words(store: Store, text: str, visible: Flags, settings: Settings) -> _Found:
    tokens = question_tokens(text) if settings.bm25 else []
    if not tokens:
        return _NOTHING
    matches = bm25(store.index.postings, tokens, visible, k1=settings.k1, b=settings.b)
    own = matches.scores
    dated = None
    named = named_dates(text) if settings.dates else []
    if named:
        dated = date_scores(store.index.days, named, visible) * np.float32(settings.date_weight)
    first = own if dated is None else own + dated
    places = _highest(first, settings.depth)
    if settings.neighbours:
        around = np.concatenate([store.index.before[places], store.index.after[places]])
        around = around[around >= 0]
        places = np.union1d(places, around[visible[around]])
    parts: dict[str, Numbers] = {"bm25": own[places]}
    if settings.neighbours:
        parts["neighbours"] = settings.before_weight * _at(own, store.index.before[places])
        parts["neighbours"] += settings.after_weight * _at(own, store.index.after[places])
    if dated is not None:
        parts["dates"] = dated[places]
    total = np.sum(list(parts.values()), axis=0)
    found = total > 0
    return _Found(
        places[found],
        total[found],
        {name: values[found] for name, values in parts.items()},
        matches.most,
        len(tokens),
    )


def _by_vectors(store: Store, text: str, visible: Flags, settings: Settings) -> _Found:
    if store.index.vectors is None or not settings.dense or not text.strip():
        return _NOTHING
    question = load_encoder(store.index.vectors.encoder).of_questions([text])[0]
    places, cosines = nearest(store.index.vectors, question, visible, settings.depth)
    # Vectors of bytes tell no smaller differences: what rounds alike is a tie.
    cosines = np.round(cosines, 4)
    kept = _highest(cosines + 2, settings.depth)
    return _Found(places[kept], cosines[kept])


def _highest(scores: Numbers, most: int | None) -> Positions:
    """Positions of the highest scores above zero, ascending; of equal ones the first."""
    found = np.flatnonzero(scores > 0)
    if most is None or len(found) <= most:
        return found
    values = scores[found]
    # Scores tie often, and sorting them is then faster than selecting among them.
    least = np.sort(values)[len(values) - most]
    above = found[values > least]
    level = found[values == least][: most - len(above)]
    return np.sort(np.concatenate([above, level]))


def _at(values: Numbers, places: Numbers) -> Numbers:
    """The values at places, 0 where a place is -1."""
    return np.where(places >= 0, values[places], 0)


def _spread(places: Positions, values: Numbers, wanted: Positions) -> Numbers:
    """Values at places, set on all the wanted places, which hold them; 0 elsewhere."""
    spread = np.zeros(len(wanted))
    spread[np.searchsorted(wanted, places)] = values
    return spread


def _slotted(
    store: Store, ranking: _Ranking, visible: Flags, settings: Settings, wanted: int | None
) -> list[Hit]:
    """The first hits; of a group of near duplicates the newest visible, where its best stood."""
    scale = settings.scale or (DENSE_SCALE if "dense" in ranking.parts else WORDS_SCALE)
    hits: list[Hit] = []
    taken: set[int] = set()
    for at, place in enumerate(ranking.places.tolist()):
        if len(hits) == wanted:
            break
        group = int(store.index.groups[place]) if settings.slots else -1
        shown = np.array([place])
        if group >= 0:
            if group in taken:
                continue
            taken.add(group)
            members = store.members(group)
            members = members[visible[members]]
            shown = members[np.argsort(store.index.newest_first[members], kind="stable")]
        fact_id, *others = store.fact_ids(shown)
        hits.append(
            Hit(
                fact_id,
                int(shown[0]),
                float(ranking.score[at]),
                scale.relevance(float(ranking.raw[at])),
                {name: float(values[at]) for name, values in ranking.parts.items()}
                | {"raw": float(ranking.raw[at])},
                tuple(others),
            )
        )
    return hits


def _ruled(
    store: Store, query: Query, text: str, visible: Flags, rules: Rules, hits: list[Hit]
) -> list[Hit]:
    if rules.is_broad(text, is_new_session=query.is_new_session):
        seen = {one for hit in hits for one in (hit.fact_id, *hit.stands_for)}
        broad = _broad(store, visible, rules.broad_limit)
        hits = hits + [hit for hit in broad if hit.fact_id not in seen]
    kept = rules.kept([hit.relevance for hit in hits])
    return [hits[place] for place in kept[: rules.limit]]


def _broad(store: Store, visible: Flags, limit: int) -> list[Hit]:
    """The visible facts that matter most by themselves, newest first among equals.

    Their relevance is a tenth of their salience: the rules cut them like all others.
    """
    standing = np.where(visible, store.salience / 10, 0)
    places = np.flatnonzero(standing > 0)
    order = places[np.lexsort((store.index.newest_first[places], -standing[places]))][:limit]
    return [
        Hit(fact_id, int(at), 0.0, float(standing[at]), {"standing": float(standing[at])}, (), True)
        for fact_id, at in zip(store.fact_ids(order), order, strict=True)
    ]
