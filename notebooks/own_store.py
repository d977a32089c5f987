import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: your own store")


@app.cell(hide_code=True)
def _():
    import os

    import marimo as mo
    import polars as pl

    from tamis.evaluation.measuring import STORE, evaluate
    from tamis.evaluation.own_questions import masked_questions
    from tamis.evaluation.page import examples
    from tamis.evaluation.report import rung_rows, won_and_lost
    from tamis.home import resolve_home
    from tamis.notebooks import LADDER, ladder_chart, nothing_published
    from tamis.publish import current_folder

    return (
        LADDER,
        STORE,
        current_folder,
        evaluate,
        examples,
        masked_questions,
        ladder_chart,
        mo,
        nothing_published,
        os,
        pl,
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
def _(masked_questions, mo, published):
    questions = masked_questions(published)
    heading = mo.md(
        f"# Recall on your own store\n\nBuild `{published.name}`, {len(questions)} questions. Each is a fact of yours without the name or number that is rarest in it; the fact is the answer. No model wrote them and nobody judged them: they show whether a fact is still found by the rest of its words, and what stands in its way, and not how well you would be understood."
    )
    mo.stop(
        not questions,
        mo.vstack(
            [heading, mo.md("No current fact holds a name or number and enough words around it.")]
        ),
    )
    heading
    return (questions,)


@app.cell(hide_code=True)
def _(LADDER, STORE, evaluate, home, mo, pl, published, questions, rung_rows, won_and_lost):
    evaluation = evaluate(published, questions, home=home, name="masked")
    rungs = pl.DataFrame(rung_rows(evaluation, STORE, LADDER))
    won, lost = won_and_lost(evaluation, STORE)
    mo.ui.table(rungs.with_columns(pl.selectors.float().round(3)), selection=None, page_size=20)
    return lost, rungs, won


@app.cell(hide_code=True)
def _(ladder_chart, rungs):
    ladder_chart(rungs)
    return


@app.cell(hide_code=True)
def _(examples, lost, mo, won):
    shown = "".join([*examples("Won", won), *examples("Lost", lost)])
    mo.vstack(
        [
            mo.md("## Won and lost"),
            mo.Html(f"<section>{shown}</section>")
            if shown
            else mo.md("Every question is answered as well as before."),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, questions):
    mo.vstack(
        [
            mo.md("## The questions"),
            mo.ui.table(
                pl.DataFrame(
                    {
                        "question": [one.question for one in questions],
                        "fact": [one.expected[0] for one in questions],
                    }
                ),
                selection=None,
                page_size=10,
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
