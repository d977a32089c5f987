"""The recall gate: a build is refused when recall on the user's golden questions falls.

Both builds are asked the same questions at the same time, so that questions may come and go.
"""

from pathlib import Path

from tamis.errors import USAGE, TamisError
from tamis.evaluation.golden import QUESTIONS, Question, load_questions
from tamis.evaluation.measuring import measured, ranked_lists, share, with_texts
from tamis.evaluation.rungs import Build, read_build, read_built, rungs
from tamis.publish import current_folder
from tamis.recall.search import Settings
from tamis.validate import Expectation
from tamis.warehouse import connect

MEASURE, SLOTS = "recall_at_10", 10
TABLE = "marts.curation_summary"


def measure_gate(home: Path) -> list[Expectation]:
    """Ask the golden questions of the built marts and of the published build.

    The figures are written into curation_summary; the caller holds the writer lock.

    Returns:
        What is expected of them, for the checkpoint and its Data Docs.

    Raises:
        TamisError: exit 2 where the home has no questions, or a line of them is none.
    """
    path = home / QUESTIONS
    if not path.is_file():
        raise TamisError(f"recall_gate is on, but there is no {path}: write questions", USAGE)
    questions = [one for one in load_questions(path) if not one.abstain]
    if not questions:
        raise TamisError(f"recall_gate is on, but nothing in {path} has an answer", USAGE)
    published = current_folder(home)
    before = None
    if published is not None and published.is_dir():
        before = golden_recall(read_build(published), questions)
    connection = connect(home)
    try:
        after = golden_recall(read_built(connection), questions)
        connection.execute(
            f"update {TABLE} set recall_score = ?, recall_before_score = ?", [after, before]
        )
    finally:
        connection.close()
    was = "" if before is None else f", and of the published build {before:.3f}"
    sentence = (
        "recall on the golden questions has not fallen:"
        f" recall@{SLOTS} on {len(questions)} questions is {after:.3f}{was}"
    )
    fell = "recall_score < recall_before_score - 1e-9"
    # The same figures stand in every row: one of them tells it.
    query = f"select summary_id from {TABLE} where {fell} order by summary_id limit 1"
    return [Expectation(TABLE, sentence, "rows", query)]


def golden_recall(build: Build, questions: list[Question]) -> float:
    """Recall@10 of what recall searches, over all questions."""
    asked = [with_texts(one, build) for one in questions]
    lists = ranked_lists(rungs(build)[-1], asked, Settings(limit=SLOTS))
    values = measured([ranked for ranked, _ in lists], asked)
    return share([row[MEASURE] for row in values])
