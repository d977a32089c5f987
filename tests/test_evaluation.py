"""Questions are asked of every rung of a build, what curation cost is told, a fall is refused."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from command_line import run_tamis
from handmade_build import fact, rejection, source, write_build

from tamis import run, validate
from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.evaluation.captures import Label
from tamis.evaluation.gate import measure_gate
from tamis.evaluation.golden import Question
from tamis.evaluation.measuring import STORE, Evaluation, evaluate, losses_of
from tamis.evaluation.page import write_page
from tamis.evaluation.report import data, evaluation_text, won_and_lost
from tamis.evaluation.rungs import Build, read_build, rungs
from tamis.home import Settings
from tamis.warehouse import warehouse_path

ASKED, ANSWER = "blue port?", "The blue port is 1"


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A build where six copies of the question crowd out its answer."""
    facts = [fact("q", ASKED), fact("a", ANSWER, 2), fact("z", "A red door", 3)]
    sources = [source("q0", "q"), source("a0", "a"), source("z0", "z")]
    sources += [source(f"q{i}", "q", "repeat") for i in range(1, 6)]
    noise = "port list: one, two, three, four, five, six, seven, eight, nine, ten"
    return write_build(tmp_path, facts, sources, [rejection("n1", noise), rejection("n2", None)])


QUESTIONS = [
    Question("which blue port", expected=(ANSWER,), category="ports"),
    Question("red door", "git.example/other", ("A red door",)),
    Question("sourdough", abstain=True),
]


def row(evaluation: Evaluation, rung: str, place: int = 0) -> dict[str, float]:
    return evaluation.of(STORE, rung).values[place]


def test_every_rung_is_asked(crowded: Path) -> None:
    evaluation = evaluate(crowded, QUESTIONS)
    counted = [(one.rung, one.documents) for one in evaluation.asked]
    assert counted == [
        *(("stripped", 9), ("noise-free", 8), ("deduplicated", 3)),
        *(("superseded", 3), ("grouped", 3)),
    ]
    before, after = row(evaluation, "stripped"), row(evaluation, "grouped")
    # Six copies of the question come first: five repeats and one refused text of nine are wasted.
    assert (before["recall_at_5"], after["recall_at_5"]) == (0.0, 1.0)
    assert before["reciprocal_rank"] == pytest.approx(1 / 7)
    assert (before["slot_waste_at_10"], after["slot_waste_at_10"]) == (pytest.approx(6 / 9), 0.0)
    assert row(evaluation, "grouped", 1)["recall_at_5"] == 1.0
    assert evaluation.losses[STORE].evidence_lost == []
    assert [one.silent_unanswerable for one in evaluation.abstention[STORE]] == [1.0, 1.0]


def test_the_rung_of_texts_as_they_were_stored_needs_the_warehouse(crowded: Path) -> None:
    home = crowded.parent.parent
    assert evaluate(crowded, QUESTIONS, home=home).asked[0].rung == "stripped"
    connection = duckdb.connect(str(warehouse_path(home)))
    connection.close()
    assert evaluate(crowded, QUESTIONS, home=home).asked[0].rung == "stripped"
    connection = duckdb.connect(str(warehouse_path(home)))
    connection.execute("create schema intermediate")
    connection.execute(
        "create table intermediate.int_events_unioned as"
        " select 'a0' as event_id, '[hm src:x] The blue port is 1' as content"
    )
    connection.close()
    first = evaluate(crowded, QUESTIONS, home=home).asked[0]
    assert (first.rung, first.documents) == ("raw", 9)
    shown = {text for texts in first.shown for text in texts}
    documents = rungs(read_build(crowded, home))[0].documents
    assert "[hm src:x] The blue port is 1" in documents["text"]
    assert ASKED in shown


def test_a_project_is_asked_with_the_unknown_one(tmp_path: Path) -> None:
    facts = [fact("a", "The port is 1", project_key="git.example/hobby/api")]
    sources = [source("a0", "a", project_key="git.example/hobby/api")]
    published = write_build(tmp_path, facts, sources, [])
    projects = ("git.example/hobby/api", "git.example/shop/api")
    questions = [Question("port", project, ("The port is 1",)) for project in projects]
    evaluation = evaluate(published, questions)
    for rung in ("stripped", "grouped"):
        assert evaluation.of(STORE, rung).column("recall_at_5") == [1.0, 0.0]


def test_a_namespace_is_asked_by_itself(tmp_path: Path) -> None:
    facts = [fact("a", ANSWER), fact("b", ANSWER, namespace="other", agent_id="other")]
    sources = [source("a0", "a"), source("b0", "b", namespace="other")]
    published = write_build(tmp_path, facts, sources, [])
    questions = [
        Question("blue port", expected=(ANSWER,), namespace=name)
        for name in ("default", "other", "nobody")
    ]
    assert evaluate(published, questions).of(STORE, "grouped").column("hit_at_10") == [1, 1, 0]


def test_ids_stand_for_their_texts(crowded: Path) -> None:
    ids = ("a0", "native-a0", "a")
    evaluation = evaluate(crowded, [Question("blue port", evidence=(one,)) for one in ids])
    assert evaluation.of(STORE, "grouped").column("recall_at_5") == [1.0, 1.0, 1.0]
    unknown = evaluate(crowded, [Question("blue port", evidence=("nothing",))])
    assert unknown.losses[STORE].never_captured == ["nothing"]


def test_an_older_version_answers_for_its_time(tmp_path: Path) -> None:
    closed = {"is_current": False, "t_invalid": datetime(2026, 3, 3)}
    facts = [fact("old", "The port is 1", 1, **closed), fact("new", "The port is 2", 3)]
    sources = [source("o0", "old"), source("n0", "new", occurred_at=datetime(2026, 3, 3))]
    published = write_build(tmp_path, facts, sources, [])
    old, new = ("The port is 1",), ("The port is 2",)
    questions = [
        Question("port", expected=new, forbidden=old),
        Question("port", expected=old, forbidden=new, as_of=datetime(2026, 3, 2)),
    ]
    evaluation = evaluate(published, questions)
    after = evaluation.of(STORE, "grouped")
    assert after.column("recall_at_10") == [1.0, 1.0]
    assert after.column("stale_at_10") == [0.0, 0.0]
    assert evaluation.of(STORE, "deduplicated").column("stale_at_10") == [1.0, 0.0]
    assert evaluation.losses[STORE].evidence_lost == []


def test_lost_evidence_is_named(tmp_path: Path) -> None:
    closed = fact("a", "The port is 1", is_current=False)
    published = write_build(tmp_path, [closed], [source("a0", "a")], [rejection("n", "Port 2")])
    asked = Question("port", expected=("The port is 1", "Port 2", "Port 3"))
    losses = evaluate(published, [asked]).losses[STORE]
    assert losses.evidence_lost == ["The port is 1", "Port 2"]
    assert losses.never_captured == ["Port 3"]


def labelled_build(tmp_path: Path) -> Build:
    facts = [fact("a", "one"), fact("b", "two")]
    sources = [source("a0", "a"), source("a1", "a", "repeat"), source("b0", "b")]
    return read_build(write_build(tmp_path, facts, sources, [rejection("n", "three")]))


def test_false_merges_and_false_refusals_are_counted_where_texts_are_known(tmp_path: Path) -> None:
    build = labelled_build(tmp_path)
    labels = {
        "native-a0": Label("one", "turn"),
        "native-a1": Label("eins", "turn"),
        "native-b0": Label("two", "noise"),
        "native-n": Label("three", "turn"),
    }
    losses = losses_of(build, [], labels)
    assert (losses.false_merges, losses.falsely_refused) == (1, 1)
    assert (losses.noise, losses.noise_kept) == (1, 1)
    unknown = losses_of(build, [], None)
    assert (unknown.false_merges, unknown.falsely_refused, unknown.noise) == (0, None, None)


def test_labels_say_what_a_document_counts_for(tmp_path: Path) -> None:
    build = labelled_build(tmp_path)
    labels = {"native-b0": Label("one", "near"), "native-a0": Label("old", "stale", "one")}
    by_name = {rung.name: rung.documents for rung in rungs(build, labels)}
    grouped = by_name["grouped"].rows_by_key("fact_id", named=True, unique=True)
    assert (grouped["b"]["answer"], grouped["b"]["kind"]) == ("one", "near")
    assert (grouped["a"]["answer"], grouped["a"]["fresh"]) == ("old", "one")
    assert by_name["stripped"].filter(is_noise=True)["text"].to_list() == ["three"]


def test_an_empty_build_and_no_questions(tmp_path: Path) -> None:
    published = write_build(tmp_path, [], [], [])
    empty = evaluate(published, [Question("port", expected=("x",))])
    assert row(empty, "grouped")["recall_at_5"] == 0.0
    nothing = evaluate(published, [])
    assert nothing.questions == [] and nothing.draws is None
    assert "0 questions" in evaluation_text(nothing)
    json.dumps(data(nothing), allow_nan=False)


def test_a_missing_build_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match="tamis run") as raised:
        evaluate(tmp_path, [])
    assert raised.value.exit_code == ENVIRONMENT


def test_tables_and_data_tell_the_same(crowded: Path) -> None:
    evaluation = evaluate(crowded, QUESTIONS)
    text, plain = evaluation_text(evaluation), data(evaluation)
    (store,) = plain["stores"]
    grouped = store["rungs"][-1]["recall_at_10"]
    assert f"{grouped['mean']:.3f} [{grouped['low']:.3f}, {grouped['high']:.3f}]" in text
    assert store["change"]["recall_at_5"]["mean"] == pytest.approx(0.5)
    assert "evidence lost: 0; false merges: 0" in text
    assert "silent on 100% of unanswerable questions" in text
    assert [one["category"] for one in plain["categories"]] == ["all", "ports"]
    json.dumps(plain, allow_nan=False)
    won, lost = won_and_lost(evaluation, STORE)
    assert ([one["question"] for one in won], lost) == (["which blue port"], [])


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    facts = [fact("a", "<script>port</script>"), fact("b", "port port")]
    published = write_build(tmp_path, facts, [source("a0", "a"), source("b0", "b")], [])
    questions = [Question("<b>port</b>", expected=("<script>port</script>",))]
    target = tmp_path / "page.html"
    write_page(evaluate(published, questions), target)
    page = target.read_text()
    assert page.count("<svg") == 3
    assert not re.findall(r"<script|<link|<img|src=|href=|url\(|@import|https?:", page)
    assert "recall@10" in page and "stripped" in page
    with pytest.raises(TamisError, match="can't write"):
        write_page(evaluate(published, questions), tmp_path / "no" / "page.html")


def gated_home(tmp_path: Path, *built: str) -> Path:
    """A home whose published build holds two facts, and whose built marts hold these texts."""
    facts = [fact("a", ANSWER), fact("z", "A red door", 2)]
    published = write_build(tmp_path, facts, [source("a0", "a"), source("z0", "z")], [])
    connection = duckdb.connect(str(warehouse_path(tmp_path)))
    connection.execute("create schema marts")
    for path in published.glob("*.parquet"):
        connection.execute(f"create table marts.{path.stem} as from '{path}'")
    texts = ", ".join(f"'{text}'" for text in built) or "''"
    connection.execute(f"delete from marts.facts where text not in ({texts})")
    connection.close()
    rows: list[dict[str, Any]] = [
        {"question": "blue port", "expected": [ANSWER]},
        {"question": "red door", "expected": ["A red door"]},
        {"question": "sourdough", "abstain": True},
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    return tmp_path


@pytest.mark.parametrize(
    ("built", "after", "holds"),
    [((ANSWER, "A red door"), 1.0, True), ((ANSWER,), 0.5, False)],
)
def test_the_gate_refuses_a_build_whose_recall_fell(
    tmp_path: Path, built: tuple[str, ...], after: float, holds: bool
) -> None:
    home = gated_home(tmp_path, *built)
    expected = measure_gate(home)
    connection = duckdb.connect(str(warehouse_path(home)), read_only=True)
    told = connection.execute(
        "select distinct recall_score, recall_before_score from marts.curation_summary"
    ).fetchall()
    connection.close()
    assert told == [(after, 1.0)]
    (result,) = validate._run_checkpoint(tmp_path / "gx", warehouse_path(home), expected)
    outcome = validate._outcome(expected[0], result)
    assert (outcome.success, outcome.problem) == (holds, "")
    pages = [page.read_text() for page in (tmp_path / "gx").rglob("*.html")]
    sentence = f"recall@10 on 2 questions is {after:.3f}, and of the published build 1.000"
    assert any(sentence in page for page in pages)


def test_the_first_build_has_nothing_to_fall_from(tmp_path: Path) -> None:
    home = gated_home(tmp_path, ANSWER)
    (home / "published" / "CURRENT").unlink()
    (expectation,) = measure_gate(home)
    assert expectation.sentence.endswith("is 0.500")


@pytest.mark.parametrize("content", [None, '{"question": "q", "abstain": true}\n'])
def test_a_gate_without_questions_is_one_clear_error(tmp_path: Path, content: str | None) -> None:
    if content:
        (tmp_path / "questions.jsonl").write_text(content)
    with pytest.raises(TamisError, match=r"questions\.jsonl") as raised:
        measure_gate(tmp_path)
    assert raised.value.exit_code == USAGE


@pytest.mark.slow
def test_curated_locomo_is_found_as_well_as_clean(shared: Path) -> None:
    """One build of 50,000 events; `pytest -m slow tests/test_evaluation.py` runs it."""
    done = run_tamis("eval", "locomo", "--data", shared / "golden" / "locomo", "--json")
    assert done.returncode == 0, done.stderr
    stores = {one["store"]: one for one in json.loads(done.stdout)["stores"]}
    after = {name: one["rungs"][-1] for name, one in stores.items()}
    assert after["clean"]["recall_at_10"]["mean"] >= 0.66
    assert after["clean"]["ndcg_at_10"]["mean"] >= 0.46
    for name, share in (("hard", 0.97), ("severe", 0.90)):
        reached = after[name]["recall_at_10"]["mean"] / after["clean"]["recall_at_10"]["mean"]
        assert reached >= share, name
        assert after[name]["stale_above_fresh"]["mean"] <= 0.02
    for one in stores.values():
        assert (one["evidence_lost"], one["false_merges"], one["falsely_refused"]) == ([], 0, 0)


@pytest.mark.parametrize("is_on", [True, False])
def test_a_check_asks_the_golden_questions_where_the_gate_is_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_on: bool
) -> None:
    home = gated_home(tmp_path, ANSWER)
    seen: list[validate.Expectation] = []

    def check(home: Path, more: Any) -> validate.CheckReport:
        seen.extend(more)
        return validate.CheckReport((), home)

    monkeypatch.setattr(run, "last_build", lambda home, states: "build")
    monkeypatch.setattr(run, "require_own_marts", lambda home, build_id: None)
    monkeypatch.setattr(validate, "check", check)
    run.check(home, Settings(recall_gate=is_on), now=datetime(2026, 6, 1))
    assert [one.table for one in seen] == ["marts.curation_summary"] * is_on
    assert "recall_gate" not in Settings().of_builds()
