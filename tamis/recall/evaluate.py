"""Recall before and after curation, over the events and the facts of one published build."""

import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.recall.index import UNKNOWN_PROJECT, Index, build_index, search
from tamis.recall.metrics import macro_mean, ndcg_at, recall_at, slot_waste_at

RECALL_SLOTS = 5
SLOTS = 10
MEASURES = ("recall_at_5", "ndcg_at_10", "slot_waste_at_10")


@dataclass(frozen=True)
class Question:
    """One question and the clean bodies that answer it; ``project`` None asks everywhere."""

    question: str
    project: str | None
    expected: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """What a set of questions shows of one published build.

    Attributes:
        summary: two rows, one per arm: arm (before | after), documents, recall_at_5, ndcg_at_10,
            slot_waste_at_10; the measures are macro means over the questions.
        questions: one row per question: question, project, answers, and every measure as
            before_<measure> and after_<measure>.
        evidence_lost: expected bodies that were captured and that no current fact holds;
            curation may lose none.
        never_captured: expected bodies that no event of the store holds.
    """

    summary: pl.DataFrame
    questions: pl.DataFrame
    evidence_lost: list[str]
    never_captured: list[str]


def load_questions(path: Path) -> list[Question]:
    """Read questions from JSON lines: question, project (or null), expected (list of texts).

    Raises:
        TamisError: the file can't be read, or a line of it is no question.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TamisError(
            f"can't read the questions {path}: name a file of JSON lines", USAGE
        ) from error
    return [
        _question(line, f"{path}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _question(line: str, place: str) -> Question:
    try:
        row = json.loads(line)
        question, project, expected = row["question"], row.get("project"), row["expected"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TamisError(
            f"{place} is no question: write question, project and expected as one JSON object",
            USAGE,
        ) from error
    texts = expected if isinstance(expected, list) else []
    is_sound = isinstance(question, str) and question.strip() and isinstance(project, str | None)
    if not is_sound or not texts or not all(isinstance(text, str) and text for text in texts):
        raise TamisError(
            f"{place} is no question: it needs a text, a project or null, and a list of "
            "expected texts",
            USAGE,
        )
    return Question(question, project, tuple(texts))


def evaluate(published: Path, questions: Path) -> Evaluation:
    """Ask every question twice: of all events, and of the current facts.

    Before holds one document per event: a supporting event with its fact's text, a refused one
    with its redacted text. After holds one document per current fact. Both arms index clean text,
    without prefixes or envelopes, and a question that names a project sees that project and the
    unknown one in both, so that what differs between the arms is curation alone. The store is
    measured as a whole: all namespaces are searched, the user's own and the agents'.

    Args:
        published: the folder of one published build (facts, fact_sources, rejections).
        questions: a file that ``load_questions`` reads.

    Raises:
        TamisError: the build or the questions can't be read.
    """
    asked = load_questions(questions)
    arms = {"before": _events(published), "after": _current_facts(published)}
    rows = {arm: _measure(documents, asked) for arm, documents in arms.items()}
    summary = pl.DataFrame(
        [
            {"arm": arm, "documents": arms[arm].height}
            | {measure: macro_mean(row[measure] for row in rows[arm]) for measure in MEASURES}
            for arm in arms
        ]
    )
    per_question = pl.DataFrame(
        [
            {"question": one.question, "project": one.project, "answers": len(set(one.expected))}
            | {f"{arm}_{measure}": rows[arm][i][measure] for measure in MEASURES for arm in arms}
            for i, one in enumerate(asked)
        ],
        schema={"question": pl.String, "project": pl.String, "answers": pl.Int64}
        | {f"{arm}_{measure}": pl.Float64 for measure in MEASURES for arm in arms},
    )
    captured, kept = set(arms["before"]["text"]), set(arms["after"]["text"])
    wanted = dict.fromkeys(text for one in asked for text in one.expected)
    return Evaluation(
        summary,
        per_question,
        [text for text in wanted if text in captured and text not in kept],
        [text for text in wanted if text not in captured],
    )


def _events(published: Path) -> pl.DataFrame:
    facts = _read(published, "facts", ["fact_id", "text"])
    sources = _read(
        published, "fact_sources", ["fact_id", "event_id", "project_key", "occurred_at"]
    )
    rejections = _read(published, "rejections", ["event_id", "project_key", "occurred_at", "text"])
    kept = sources.join(facts, on="fact_id", how="inner").with_columns(refused=False)
    columns = ["event_id", "project_key", "occurred_at", "text", "refused"]
    return (
        pl.concat([kept.select(columns), rejections.with_columns(refused=True).select(columns)])
        .with_columns(pl.col("text").fill_null(""))
        .sort("occurred_at", "event_id", nulls_last=True)
    )


def _current_facts(published: Path) -> pl.DataFrame:
    columns = ["fact_id", "project_key", "t_valid", "text", "is_current"]
    return (
        _read(published, "facts", columns)
        .filter("is_current")
        .with_columns(refused=False)
        .sort("t_valid", "fact_id", nulls_last=True)
    )


def _read(published: Path, mart: str, columns: list[str]) -> pl.DataFrame:
    path = published / f"{mart}.parquet"
    try:
        return pl.read_parquet(path, columns=columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise TamisError(
            f"can't read the published {mart} {path}: run `tamis run` to publish again",
            ENVIRONMENT,
        ) from error


def _measure(documents: pl.DataFrame, asked: list[Question]) -> list[dict[str, float]]:
    scopes: dict[str | None, tuple[Index, list[str], list[bool]]] = {}
    measured = []
    for one in asked:
        if one.project not in scopes:
            scope = documents
            if one.project is not None:
                scope = documents.filter(
                    pl.col("project_key").is_in([one.project, UNKNOWN_PROJECT])
                )
            texts = scope["text"].to_list()
            scopes[one.project] = (build_index(texts), texts, scope["refused"].to_list())
        index, texts, refused = scopes[one.project]
        positions = [position for position, _ in search(index, one.question, SLOTS)]
        ranked = [texts[position] for position in positions]
        flags = [refused[position] for position in positions]
        measured.append(
            {
                "recall_at_5": recall_at(ranked, one.expected, RECALL_SLOTS),
                "ndcg_at_10": ndcg_at(ranked, one.expected, SLOTS),
                "slot_waste_at_10": slot_waste_at(ranked, flags, one.expected, SLOTS),
            }
        )
    return measured
