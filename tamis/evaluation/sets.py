"""The golden sets that `tamis eval` knows, and how each is asked."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from tamis.errors import USAGE, TamisError
from tamis.evaluation.benchmark import measure
from tamis.evaluation.conversations import GoldenSet
from tamis.evaluation.golden import QUESTIONS
from tamis.evaluation.locomo import find_locomo, load_locomo
from tamis.evaluation.longmemeval import find_longmemeval, load_longmemeval
from tamis.evaluation.measuring import Evaluation, evaluate
from tamis.evaluation.pollution import Pollution, levels, single_knobs
from tamis.progress import Progress
from tamis.publish import current_build

PUBLIC = {"locomo": (find_locomo, load_locomo), "longmemeval": (find_longmemeval, load_longmemeval)}
# Settings of the search were chosen with sight of these; the others are what is reported.
TUNED = {"conv-26", "conv-30", "conv-41"}


def evaluate_set(
    golden: str | None,
    *,
    home: Path,
    keeps: bool,
    now: datetime,
    note: Callable[[str], None],
    progress: Progress | None = None,
    data: Path | None = None,
    part: str = "held-out",
    pollutions: Sequence[str] = (),
    most: int | None = None,
) -> Evaluation | str:
    """Measure recall on a golden set.

    Args:
        golden: demo, locomo, longmemeval, a file of questions, or None for the home's own.
        home: whose published build is asked where the set has no captures of its own.
        keeps: whether the demo is built into this home.
        now: the time of landing and build, naive UTC.
        note: told what is being done, line by line.
        progress: shown how far a build is.
        data: the file or folder of a public set.
        part: held-out, tuned or all: which conversations of LoCoMo.
        pollutions: names of polluted stores; all levels where empty.
        most: ask only so many questions.

    Returns:
        The evaluation; where a public set's file is absent, a line that says so.

    Raises:
        TamisError: exit 2 for a set or a name that is unknown, exit 3 where nothing is published.
    """
    if golden == "demo":
        from tamis.demo.show import evaluate_demo

        return evaluate_demo(home if keeps else None, now=now, note=note, progress=progress)
    if golden in PUBLIC:
        find, load = PUBLIC[golden]
        path = find(data) if data else None
        if path is None:
            return f"skipped: there is no file of {golden} {f'at {data}' if data else 'named'}"
        chosen = limited(part_of(load(path), part, note), most)
        return measure(chosen, named(pollutions), now=now, note=note, progress=progress)
    questions = questions_of(golden, home)
    return evaluate(current_build(home), questions, home=home, name=golden or "own")


def questions_of(golden: str | None, home: Path) -> Path:
    """The file of questions that is named, or the home's own, or the demo's.

    Raises:
        TamisError: exit 2 where what is named is neither a set nor a file.
    """
    if golden is not None:
        if not Path(golden).is_file():
            known = ", ".join(("demo", *PUBLIC))
            raise TamisError(f"{golden} is no file of questions and none of {known}", USAGE)
        return Path(golden)
    from tamis.demo import QUESTIONS as OF_DEMO

    own = home / QUESTIONS
    return own if own.is_file() else OF_DEMO


def part_of(golden: GoldenSet, part: str, note: Callable[[str], None]) -> GoldenSet:
    """The conversations that settings were chosen on, the others, or all."""
    names = {one.name for one in golden.conversations}
    wanted = {"all": names, "tuned": names & TUNED, "held-out": names - TUNED}[part]
    if not wanted:
        note(f"none of the conversations is {part}: all are asked about")
    return golden.of(wanted or names)


def limited(golden: GoldenSet, most: int | None) -> GoldenSet:
    """A set of its first questions, and of the conversations that they are about."""
    questions = golden.questions[:most]
    names = {one.conversation for one in questions}
    kept = golden.of(names)
    return GoldenSet(kept.name, kept.conversations, questions)


def named(names: Sequence[str]) -> list[Pollution]:
    """Polluted stores by name; all levels for none.

    Raises:
        TamisError: exit 2 for an unknown name.
    """
    known = {one.name: one for one in [*levels(), *single_knobs()]}
    for name in names:
        if name not in known:
            raise TamisError(f"no store is named {name}: choose of {', '.join(known)}", USAGE)
    return [known[name] for name in names] or levels()
