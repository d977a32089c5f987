"""A public golden set through the whole line: captures, landing, build, check, publish, questions.

The captures are written into a temporary folder in the form of real systems, and nothing of the set
is kept when the measuring is done.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import polars as pl

from tamis.evaluation.captures import Label, namespace_of, write_store
from tamis.evaluation.conversations import GoldenSet
from tamis.evaluation.golden import Question
from tamis.evaluation.measuring import Evaluation, draws_of, measure_store
from tamis.evaluation.pollution import Pollution, polluted
from tamis.evaluation.rungs import Build, read_build
from tamis.progress import Progress
from tamis.recall.search import Settings
from tamis.run import run_captures

CLEAN = Pollution("clean")


@dataclass(frozen=True)
class Planted:
    """What was written of one store.

    Attributes:
        pollution: how it is polluted.
        labels: what is known of its events by their native ids.
        questions: the golden questions, asked of this store: evidence became texts.
        namespaces: the store's.
    """

    pollution: Pollution
    labels: dict[str, Label]
    questions: list[Question]
    namespaces: set[str]


def measure(
    golden: GoldenSet,
    pollutions: Sequence[Pollution],
    *,
    now: datetime,
    note: Callable[[str], None],
    progress: Progress | None = None,
    settings: Settings | None = None,
    home: Path | None = None,
) -> Evaluation:
    """Build the clean store and polluted ones, and ask the questions of every rung of each.

    Args:
        golden: conversations and questions.
        pollutions: the polluted stores; the clean one is always built.
        now: the time of landing and build, naive UTC.
        note: told what is being done, line by line.
        progress: shown how far the build is.
        settings: of the search.
        home: where to keep the stores; a temporary folder that goes away where None.
    """
    with tempfile.TemporaryDirectory(prefix="tamis-eval-") as folder:
        captures, kept = Path(folder) / "captures", home or Path(folder) / "home"
        planted = plant(captures, golden, [CLEAN, *pollutions])
        published = run_captures(kept, captures, now=now, note=note, progress=progress)
        build = read_build(published, kept)
        return ask(golden.name, planted, build, settings=settings, note=note)


def plant(folder: Path, golden: GoldenSet, pollutions: Sequence[Pollution]) -> list[Planted]:
    """Write the captures of every store below a folder."""
    planted = []
    for pollution in pollutions:
        labels: dict[str, Label] = {}
        questions: dict[int, Question] = {}
        namespaces = set()
        for conversation in golden.conversations:
            agent = f"{pollution.name}-{conversation.name}".lower()
            own = [
                (number, one)
                for number, one in enumerate(golden.questions)
                if one.conversation == conversation.name
            ]
            evidence = {turn_id for _, one in own for turn_id in one.evidence}
            store = polluted(conversation, pollution, evidence)
            labels |= write_store(folder, agent, store)
            texts = {turn.turn_id: turn.text for turn in conversation.turns}
            stale = {update.turn.turn_id: update.stale for update in store.updates}
            namespaces.add(namespace_of(agent))
            for number, one in own:
                questions[number] = replace(
                    one,
                    namespace=namespace_of(agent),
                    expected=tuple(dict.fromkeys(texts[turn] for turn in one.evidence)),
                    forbidden=tuple(stale[turn] for turn in one.evidence if turn in stale),
                    evidence=(),
                )
        asked = [questions[number] for number in sorted(questions)]
        planted.append(Planted(pollution, labels, asked, namespaces))
    return planted


def ask(
    name: str,
    planted: Sequence[Planted],
    build: Build,
    *,
    settings: Settings | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> Evaluation:
    """Ask the questions of every rung of every store of one build."""
    asked, losses, abstention = [], {}, {}
    for one in planted:
        store = one.pollution.name
        note(f"asking {len(one.questions)} questions of the {store} store …")
        part = part_of(build, one.namespaces)
        rungs, lost, quiet = measure_store(
            store, part, one.questions, labels=one.labels, settings=settings
        )
        asked += rungs
        losses[store] = lost
        abstention[store] = quiet
    questions = [one for one in planted[0].questions if not one.abstain]
    notes = [junk_of(one, build) for one in planted]
    return Evaluation(name, questions, asked, draws_of(questions), losses, abstention, notes)


def part_of(build: Build, namespaces: set[str]) -> Build:
    """The part of a build that is in some namespaces."""
    inside = pl.col("namespace").is_in(namespaces)
    facts = build.facts.filter(inside)
    known = pl.col("fact_id").is_in(facts["fact_id"].implode())
    return Build(build.events.filter(inside), facts, build.pairs.filter(known), build.raw)


def junk_of(planted: Planted, build: Build) -> str:
    """How polluted a store is, in words."""
    events = part_of(build, planted.namespaces).events.height
    turns = len({one.stands_for for one in planted.labels.values() if one.kind == "turn"})
    pollution = planted.pollution
    knobs = ", ".join(sorted(pollution.knobs)) or "no knob"
    half = f", {pollution.half} templates" if "noise" in pollution.knobs else ""
    return f"{pollution.name}: {events} events for {turns} turns ({knobs}{half})"
