import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: recall")


@app.cell(hide_code=True)
def _():
    import os

    import marimo as mo
    import polars as pl

    from tamis.evaluation.golden import QUESTIONS
    from tamis.evaluation.measuring import STORE, evaluate
    from tamis.evaluation.page import examples
    from tamis.evaluation.report import data, rung_rows, won_and_lost
    from tamis.evaluation.sets import questions_of
    from tamis.home import resolve_home
    from tamis.notebooks import LADDER, ladder_chart, nothing_published
    from tamis.publish import current_folder

    return (
        LADDER,
        QUESTIONS,
        STORE,
        current_folder,
        data,
        evaluate,
        examples,
        ladder_chart,
        mo,
        nothing_published,
        os,
        pl,
        questions_of,
        resolve_home,
        rung_rows,
        won_and_lost,
    )


@app.cell(hide_code=True)
def _(current_folder, mo, nothing_published, os, resolve_home):
    home = resolve_home(None, os.environ)
    published = current_folder(home)
    mo.stop(published is None, mo.md(nothing_published(home)))
    return home, published


@app.cell(hide_code=True)
def _(LADDER, QUESTIONS, STORE, data, evaluate, home, pl, published, questions_of, rung_rows):
    own_questions = home / QUESTIONS
    questions = questions_of(None, home)
    evaluation = evaluate(published, questions, home=home)
    result = data(evaluation)
    rungs = pl.DataFrame(rung_rows(evaluation, STORE, LADDER))
    lost = len(evaluation.losses[STORE].evidence_lost)
    return evaluation, lost, own_questions, questions, result, rungs


@app.cell(hide_code=True)
def _(lost, mo, own_questions, published, questions, result):
    if questions != own_questions and lost:
        note = mo.callout(
            mo.md(
                f"These questions are about the demo's captures. To ask about your own memory, write `{own_questions}`: one JSON object a line with question, project (or null) and expected texts."
            ),
            kind="info",
        )
    elif lost:
        note = mo.callout(
            mo.md(f"{lost} expected texts are held by no current fact."), kind="danger"
        )
    else:
        note = mo.callout(
            mo.md("Every expected text is still held by a current fact."), kind="success"
        )
    mo.vstack(
        [
            mo.md(
                f"# Recall before and after\n\nBuild `{published.name}`, {len(result['questions'])} questions. *Before* searches every captured event (stripped), *after* the current facts, near-duplicates in one slot (grouped). Both search clean text, so only curation differs."
            ),
            note,
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, rungs):
    mo.vstack(
        [
            mo.ui.table(
                rungs.with_columns(pl.selectors.float().round(3)), selection=None, page_size=20
            ),
            mo.md(
                "Recall and nDCG: higher is better. Slot waste is the share of the first ten hits that repeat an earlier hit or hold refused noise: lower is better. low and high bound 95 % of the bootstrap's draws."
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(ladder_chart, rungs):
    ladder_chart(rungs)
    return


@app.cell(hide_code=True)
def _(mo, pl, result):
    mo.vstack(
        [
            mo.md("## Question by question"),
            mo.ui.table(
                pl.DataFrame(result["questions"], infer_schema_length=None)
                .drop("before_first", "after_first")
                .with_columns(pl.selectors.float().round(3)),
                selection=None,
                page_size=20,
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, result):
    categories = pl.DataFrame(result["categories"], infer_schema_length=None)
    mo.vstack(
        [
            mo.md("## By category"),
            mo.ui.table(
                categories.drop("store", strict=False).with_columns(pl.selectors.float().round(3)),
                selection=None,
                page_size=20,
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(STORE, evaluation, examples, mo, won_and_lost):
    won, lost_questions = won_and_lost(evaluation, STORE)
    shown = "".join([*examples("Won", won), *examples("Lost", lost_questions)])
    mo.vstack(
        [
            mo.md(
                "## Won and lost\n\nThe questions whose nDCG@10 rose or fell most, each with the first texts that it found before and after."
            ),
            mo.Html(f"<section>{shown}</section>")
            if shown
            else mo.md("Every question is answered as well as before."),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
