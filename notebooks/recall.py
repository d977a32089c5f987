import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: recall")


@app.cell(hide_code=True)
def _():
    import os

    import altair as alt
    import marimo as mo
    import polars as pl

    from tamis.demo import QUESTIONS
    from tamis.home import resolve_home
    from tamis.notebooks import nothing_published
    from tamis.publish import current_build_id, published_folder
    from tamis.recall.evaluate import evaluate

    return (
        QUESTIONS,
        alt,
        current_build_id,
        evaluate,
        mo,
        nothing_published,
        os,
        pl,
        published_folder,
        resolve_home,
    )


@app.cell(hide_code=True)
def _(current_build_id, mo, nothing_published, os, published_folder, resolve_home):
    home = resolve_home(None, os.environ)
    build_id = current_build_id(home)
    mo.stop(build_id is None, mo.md(nothing_published(home)))
    published = published_folder(home) / build_id
    return build_id, home, published


@app.cell(hide_code=True)
def _(QUESTIONS, evaluate, home, published):
    own_questions = home / "questions.jsonl"
    questions = own_questions if own_questions.is_file() else QUESTIONS
    result = evaluate(published, questions)
    return own_questions, questions, result


@app.cell(hide_code=True)
def _(build_id, mo, own_questions, questions, result):
    lost = len(result.evidence_lost)
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
                f"# Recall before and after\n\nBuild `{build_id}`, {result.questions.height} questions, BM25. *Before* searches every captured event, *after* the current facts. Both search clean text, so only curation differs."
            ),
            note,
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, result):
    measures = [column for column in result.summary.columns if column not in ("arm", "documents")]
    mo.vstack(
        [
            mo.ui.table(result.summary.with_columns(pl.col(measures).round(3)), selection=None),
            mo.md(
                "Recall and nDCG: higher is better. Slot waste is the share of the first ten hits that repeat an earlier hit or hold refused noise: lower is better."
            ),
        ]
    )
    return (measures,)


@app.cell(hide_code=True)
def _(alt, measures, result):
    alt.Chart(
        result.summary.unpivot(on=measures, index="arm", variable_name="measure")
    ).mark_bar().encode(
        x=alt.X("value:Q", title=None, scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("arm:N", sort=["before", "after"], title=None),
        color=alt.Color(
            "arm:N",
            scale=alt.Scale(domain=["before", "after"], range=["#c8553d", "#2a7f62"]),
            legend=None,
        ),
        row=alt.Row("measure:N", sort=measures, title=None),
        tooltip=["measure", "arm", alt.Tooltip("value:Q", format=".3f")],
    ).properties(width=520, height=60)
    return


@app.cell(hide_code=True)
def _(mo, pl, result):
    mo.vstack(
        [
            mo.md("## Question by question"),
            mo.ui.table(
                result.questions.with_columns(pl.selectors.float().round(3)),
                selection=None,
                page_size=20,
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
