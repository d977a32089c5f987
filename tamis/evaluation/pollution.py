"""What a real store has beside its memories: copies, near copies, noise, stale twins, prefixes.

Public accounts of real stores tell of 78 to 98 % that is no memory of its own: most of it a few
texts stored again and again, by feedback from recall and by machines that report. Each of the five
knobs turns alone or with the others; the seed decides the rest, so that a store is the same
every time.
"""

import csv
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from tamis.evaluation.conversations import Conversation, Turn
from tamis.evaluation.perturb import near_copy, stale_twin

TEMPLATES = Path(__file__).parent / "noise_templates.csv"
KNOBS = ("exact", "near", "noise", "stale", "prefixes")
HALVES = ("train", "held-out")
# How the rows of a store with all knobs turned divide; stale twins are counted by evidence.
SHARES = {"exact": 0.45, "near": 0.25, "noise": 0.30}
STALE_SHARE = 0.5
# Of the exact copies: lists of recalled memories stored again, and one invention repeated.
LOOP_SHARE, INVENTION_SHARE = 0.05, 0.1
HEAVIEST = 200
INVENTION = "{name}: I moved to the lighthouse on Gull Island and keep {number} bees there."
HEADERS = (
    "[hm session:{id} src:{system} event:{event} ts:{stamp}] ",
    "[hm session:agent:main:{id} src:{system} event:{event} project:notes ts:{stamp}] ",
    "[mind-rawturn session:{id} src:{system} event:{event}] ",
)
ENVELOPES = (
    "[Telegram A Person id:{id} +5s {stamp}] ",
    "[WhatsApp +4930000{id} {stamp}] ",
    'Sender (untrusted metadata):\n```json\n{{"id": "{id}"}}\n```\n\n',
    "<relevant-memories>\nThe user likes short answers.\n</relevant-memories>\n",
)


@dataclass(frozen=True)
class Pollution:
    """How a store is polluted.

    Attributes:
        name: names the polluted store.
        junk: the share of its rows that is no turn of its own, 0 to below 1.
        knobs: which of `KNOBS` are turned.
        half: which half of the noise templates is used; rules are written from train alone.
        seed: decides everything that chance decides.
    """

    name: str
    junk: float = 0.0
    knobs: frozenset[str] = frozenset()
    half: str = "train"
    seed: int = 20_260_301


@dataclass(frozen=True)
class Capture:
    """One row of a polluted store.

    Attributes:
        turn: what is captured, its text as a system stored it.
        stands_for: the clean text that it is a sighting of; its own where it is noise.
        kind: turn, exact, near, noise, loop, invention or stale.
        replaced_by: the true text where it is a stale twin.
    """

    turn: Turn
    stands_for: str
    kind: str
    replaced_by: str | None = None


@dataclass(frozen=True)
class Update:
    """An explicit supersede: a memory said the stale text until it was given the true one."""

    turn: Turn
    stale: str
    begun_at: datetime


@dataclass(frozen=True)
class Store:
    """A polluted store: captures in the order of their times, and what was updated."""

    conversation: Conversation
    captures: tuple[Capture, ...]
    updates: tuple[Update, ...]


def levels(half_of_severe: str = "held-out") -> list[Pollution]:
    """The stores with all knobs turned: mild, hard and severe."""
    every = frozenset(KNOBS)
    return [
        Pollution("mild", 0.30, every),
        Pollution("hard", 0.80, every),
        Pollution("severe", 0.95, every, half_of_severe),
    ]


def single_knobs(junk: float = 0.80) -> list[Pollution]:
    """A store for each knob, turned alone."""
    return [
        Pollution(knob, 0.0 if knob in ("stale", "prefixes") else junk, frozenset({knob}))
        for knob in KNOBS
    ]


def polluted(conversation: Conversation, pollution: Pollution, evidence: set[str]) -> Store:
    """A conversation as a polluted store holds it.

    Args:
        conversation: what was really said.
        pollution: which knobs are turned, and how far.
        evidence: the turns that answer questions: half of them get a stale twin, where one can
            be made.
    """
    chance = random.Random(f"{pollution.seed} {pollution.name} {conversation.name}")
    turns = conversation.turns
    captures = [Capture(turn, turn.text, "turn") for turn in turns]
    rows = round(len(turns) * pollution.junk / (1 - pollution.junk))
    shares = {knob: SHARES[knob] for knob in SHARES if knob in pollution.knobs}
    counts = {knob: round(rows * share / sum(shares.values())) for knob, share in shares.items()}
    if "exact" in counts:
        captures += exact_copies(turns, counts["exact"], chance)
    if "near" in counts:
        captures += near_copies(turns, counts["near"], chance)
    if "noise" in counts:
        captures += noise(turns, counts["noise"], pollution.half, chance)
    updates: list[Update] = []
    if "stale" in pollution.knobs:
        updates = stale_updates(turns, evidence, chance)
        captures += quoted_again(updates, turns, chance)
    if "prefixes" in pollution.knobs:
        captures = [prefixed(capture, chance) for capture in captures]
    captures.sort(key=lambda capture: capture.turn.said_at)
    return Store(conversation, tuple(captures), tuple(updates))


def exact_copies(turns: tuple[Turn, ...], count: int, chance: random.Random) -> Iterator[Capture]:
    """Copies of few turns many times over, lists of recalled turns, and one invention again."""
    loops, inventions = round(count * LOOP_SHARE), round(count * INVENTION_SHARE)
    ordered = list(turns)
    chance.shuffle(ordered)
    left, place = count - loops - inventions, 0
    while left > 0:
        copies = min(left, HEAVIEST, max(1, round(chance.paretovariate(0.9))))
        turn = ordered[place % len(ordered)]
        for _ in range(copies):
            yield Capture(again(turn, turn.text, "copy", turns, chance), turn.text, "exact")
        left, place = left - copies, place + 1
    name = turns[0].text.partition(":")[0]
    invention = INVENTION.format(name=name, number=chance.randint(20, 90))
    for _ in range(inventions):
        yield Capture(
            again(turns[0], invention, "invention", turns, chance), invention, "invention"
        )
    for _ in range(loops):
        recalled = "".join(f"- {turn.text}\n" for turn in chance.sample(ordered, 3))
        text = f"<relevant-memories>\n{recalled}</relevant-memories>"
        asker = replace(turns[0], role="user")
        yield Capture(again(asker, text, "loop", turns, chance), text, "loop")


def near_copies(turns: tuple[Turn, ...], count: int, chance: random.Random) -> Iterator[Capture]:
    """Turns in slightly other words; none equals a turn or a copy of another one."""
    taken = {turn.text: turn.text for turn in turns}
    made = 0
    while made < count:
        turn = chance.choice(turns)
        text = near_copy(turn.text, chance)
        if taken.setdefault(text, turn.text) == turn.text and text != turn.text:
            yield Capture(again(turn, text, "near", turns, chance), turn.text, "near")
        made += 1


def noise(
    turns: tuple[Turn, ...], count: int, half: str, chance: random.Random
) -> Iterator[Capture]:
    """Rows of no meaning, half of them in the words of the conversation."""
    with TEMPLATES.open(encoding="utf-8", newline="") as file:
        templates = [row for row in csv.DictReader(file) if row["half"] == half]
    for _ in range(count):
        template, turn = chance.choice(templates), chance.choice(turns)
        text = filled(template["text"], turn, turns, chance)
        spoken = replace(turn, role=template["role"])
        yield Capture(again(spoken, text, "noise", turns, chance), text, "noise")


def filled(template: str, turn: Turn, turns: tuple[Turn, ...], chance: random.Random) -> str:
    """A template with the slots of one moment."""
    name, _, words = turn.text.partition(": ")
    long_ones = [word.strip(".,!?") for word in words.split() if len(word) > 4] or ["that"]
    slots: Mapping[str, str] = {
        "name": name,
        "topic": " ".join(chance.sample(long_ones, min(2, len(long_ones)))),
        "date": f"{turn.said_at:%Y-%m-%d}",
        "clock": f"{turn.said_at:%H:%M:%S}",
        "number": str(chance.randint(10, 999)),
        "id": f"{chance.randrange(16**4):04x}",
    }
    text = template.replace("\\n", "\n")
    for slot, value in slots.items():
        text = text.replace("{" + slot + "}", value)
    while "{quote}" in text:
        text = text.replace("{quote}", chance.choice(turns).text, 1)
    return text


def again(turn: Turn, text: str, what: str, turns: tuple[Turn, ...], chance: random.Random) -> Turn:
    """A turn stored once more: in another session, later than all that was said."""
    later = turns[-1].said_at + timedelta(seconds=chance.randint(3_600, 90 * 86_400))
    number = f"{chance.randrange(16**10):010x}"
    return Turn(f"{what}-{number}", f"{what}-{chance.randint(1, 8)}", turn.role, text, later)


def stale_updates(
    turns: tuple[Turn, ...], evidence: set[str], chance: random.Random
) -> list[Update]:
    """For half of the turns that answer questions: a memory that first said another value."""
    updates = []
    known = {turn.text for turn in turns}
    for turn in turns:
        if turn.turn_id not in evidence or chance.random() >= STALE_SHARE:
            continue
        stale = stale_twin(turn.text, chance)
        if stale is not None and stale not in known:
            known.add(stale)
            begun = turn.said_at - timedelta(days=chance.randint(1, 30))
            updates.append(Update(turn, stale, begun))
    return updates


def quoted_again(
    updates: list[Update], turns: tuple[Turn, ...], chance: random.Random
) -> Iterator[Capture]:
    """Every other stale text once more, long after it was replaced: as feedback of recall does."""
    for update in updates[::2]:
        turn = again(update.turn, update.stale, "quote", turns, chance)
        yield Capture(turn, update.stale, "stale", update.turn.text)


def prefixed(capture: Capture, chance: random.Random) -> Capture:
    """A capture with what a system writes before a text; a tool's results have none."""
    turn = capture.turn
    if turn.role not in ("user", "assistant") or capture.kind == "loop":
        return capture
    forms = HEADERS + (ENVELOPES if turn.role == "user" else ())
    head = chance.choice(forms).format(
        id=f"{chance.randrange(10**6):06d}",
        system=chance.choice(("claude-code", "openclaw")),
        event="user-prompt-submit" if turn.role == "user" else "stop",
        stamp=f"{turn.said_at:%Y-%m-%dT%H:%MZ}",
    )
    return replace(capture, turn=replace(turn, text=head + turn.text))
