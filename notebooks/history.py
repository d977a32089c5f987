import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: history")


@app.cell(hide_code=True)
def _():
    import os
    from datetime import datetime, time

    import altair as alt
    import marimo as mo
    import polars as pl

    from tamis.context.accepted import repository_at
    from tamis.errors import TamisError
    from tamis.history import changeset_graph, head_at, life_line
    from tamis.home import resolve_home
    from tamis.memory_git.context import memory_context
    from tamis.notebooks import nothing_published
    from tamis.publish import current_folder

    return (
        TamisError,
        alt,
        changeset_graph,
        current_folder,
        datetime,
        head_at,
        life_line,
        memory_context,
        mo,
        nothing_published,
        os,
        pl,
        repository_at,
        resolve_home,
        time,
    )


@app.cell(hide_code=True)
def _(current_folder, mo, nothing_published, os, resolve_home):
    home = resolve_home(None, os.environ)
    published = current_folder(home)
    mo.stop(published is None, mo.md(nothing_published(home)))
    return (published,)


@app.cell(hide_code=True)
def _(mo, pl, published):
    facts = pl.read_parquet(published / "facts.parquet")
    corrections = pl.read_parquet(published / "fact_corrections.parquet")
    changed = set(corrections["target_fact_id"].drop_nulls())
    changed |= set(corrections["replacement_fact_id"].drop_nulls())
    mo.md(
        f"# How memory came to be what it is\n\nBuild `{published.name}`: {facts.height} facts, {facts['is_current'].sum()} of them true now, {corrections.height} changes. Nothing is deleted: what is no longer true has an end."
    )
    return changed, facts


@app.cell(hide_code=True)
def _(changed, facts, mo, pl):
    listed = (
        facts.with_columns(is_changed=pl.col("fact_id").is_in(changed))
        .sort(["is_changed", "t_valid", "fact_id"], descending=[True, True, False], nulls_last=True)
        .head(500)
    )
    choices = {
        f"{row['text'][:80]} · {row['fact_id'][:8]}": row["fact_id"]
        for row in listed.iter_rows(named=True)
    }
    fact_choice = mo.ui.dropdown(
        choices, value=next(iter(choices), None), label="fact", searchable=True, full_width=True
    )
    mo.vstack(
        [mo.md("## A fact's life line\n\nThose that something changed come first."), fact_choice]
    )
    return (fact_choice,)


@app.cell(hide_code=True)
def _(alt, fact_choice, life_line, mo, pl, published):
    mo.stop(fact_choice.value is None, mo.md("This build holds no facts."))
    line = life_line(published, fact_choice.value)
    latest = pl.max_horizontal(pl.col("t_valid").max(), pl.col("t_invalid").max())
    shown = line.with_columns(
        begins=pl.col("t_valid").fill_null(pl.col("t_valid").min()),
        ends=pl.col("t_invalid").fill_null(latest + pl.duration(days=1)),
        label=pl.col("text").str.slice(0, 60) + " · " + pl.col("fact_id").str.slice(0, 8),
        state=pl.when("is_current").then(pl.lit("true now")).otherwise(pl.lit("ended")),
    ).filter(pl.col("begins").is_not_null())
    life_chart = (
        alt.Chart(shown)
        .mark_bar(height=14, cornerRadius=3)
        .encode(
            x=alt.X("begins:T", title="true from, to (UTC)"),
            x2="ends:T",
            y=alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=360)),
            color=alt.Color(
                "state:N",
                title=None,
                scale=alt.Scale(domain=["true now", "ended"], range=["#2a7f62", "#b0b7b2"]),
            ),
            tooltip=["text", "t_valid", "t_invalid", "kind", "reason", "actor"],
        )
        .properties(width=520, height=alt.Step(26))
    )
    undated = [] if shown.height else [mo.md("No version of it has a date.")]
    mo.vstack(
        [life_chart if shown.height else mo.md(""), *undated, mo.ui.table(line, selection=None)]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, published):
    landed = published / "memory_changesets.parquet"
    changesets = pl.read_parquet(landed) if landed.exists() else pl.DataFrame({"project_name": []})
    projects = sorted(set(changesets["project_name"]))
    mo.stop(
        not projects,
        mo.md("## Changesets\n\nNo project with a Memory Git history was landed."),
    )
    project_choice = mo.ui.dropdown(projects, value=projects[0], label="project")
    mo.vstack([mo.md("## Changesets"), project_choice])
    return changesets, project_choice


@app.cell(hide_code=True)
def _(alt, changeset_graph, changesets, mo, pl, project_choice):
    own = changesets.filter(pl.col("project_name") == project_choice.value)
    placed, edges = changeset_graph(own.tail(400))
    told = placed.with_columns(
        state=pl.when(pl.col("problems").list.len() > 0)
        .then(pl.lit("has problems"))
        .when("is_accepted")
        .then(pl.lit("accepted"))
        .otherwise(pl.lit("not merged")),
        problems=pl.col("problems").list.join("; "),
    )
    graph_chart = alt.layer(
        alt.Chart(edges)
        .mark_rule(color="#9aa39d")
        .encode(x="from_step:Q", y="from_lane:Q", x2="step:Q", y2="lane:Q"),
        alt.Chart(told)
        .mark_circle(size=110, opacity=1)
        .encode(
            x=alt.X("step:Q", title="steps from the root", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y(
                "lane:Q",
                title=None,
                axis=alt.Axis(labels=False, ticks=False, grid=False),
                scale=alt.Scale(reverse=True, padding=20),
            ),
            color=alt.Color(
                "state:N",
                title=None,
                scale=alt.Scale(
                    domain=["accepted", "not merged", "has problems"],
                    range=["#2a7f62", "#d9a441", "#c8553d"],
                ),
            ),
            tooltip=["changeset_id", "ref_name", "message", "committed_at", "problems"],
        ),
    ).properties(width=620, height=max(80, 60 * (told["lane"].max() + 1)))
    mo.vstack(
        [
            mo.md(
                "The upper line is that of the shared main ref; branches stand below it, and are memory of their own until they are merged."
            ),
            graph_chart,
            mo.ui.table(
                told.select(
                    "changeset_id", "ref_name", "state", "message", "committed_at", "problems"
                ),
                selection=None,
            ),
        ]
    )
    return (own,)


@app.cell(hide_code=True)
def _(mo, own, project_choice, published, repository_at):
    repository = repository_at(published, project_choice.value)
    committed = [
        (row["changeset_id"], row["committed_at"])
        for row in own.iter_rows(named=True)
        if row["committed_at"]
    ]
    refs = sorted(repository.refs)
    mo.stop(not refs, mo.md("## What a head showed\n\nNo ref of the project was landed."))
    first = next((ref for ref in refs if ref.endswith("shared/main")), refs[0])
    ref_choice = mo.ui.dropdown(refs, value=first, label="ref")
    days = sorted(moment.date() for _, moment in committed)
    day_choice = mo.ui.date(value=days[-1] if days else None, label="at the end of")
    query = mo.ui.text(label="query", placeholder="what it is wanted for")
    mo.vstack(
        [
            mo.md("## What a head showed"),
            mo.hstack([ref_choice, day_choice, query], justify="start"),
        ]
    )
    return committed, day_choice, query, ref_choice, repository


@app.cell(hide_code=True)
def _(
    TamisError,
    committed,
    datetime,
    day_choice,
    head_at,
    memory_context,
    mo,
    pl,
    query,
    ref_choice,
    repository,
    time,
):
    mo.stop(day_choice.value is None, mo.md("No changeset has a date."))
    moment = datetime.combine(day_choice.value, time.max)
    try:
        head = head_at(repository, ref_choice.value, moment, committed)
        mo.stop(head is None, mo.md(f"{ref_choice.value} had no head yet."))
        then = memory_context(repository, ref_choice.value, head, query.value, 100)
    except TamisError as error:
        mo.stop(True, mo.md(f"This history can't be shown: {error}"))
    memories = pl.DataFrame(
        [
            {
                "memory": memory.memory_id,
                "content": memory.content,
                "kind": memory.kind,
                "changed by": memory.last_changed_by,
                "why": then.inclusion_reasons[memory.memory_id],
            }
            for memory in then.memories
        ],
        schema=["memory", "content", "kind", "changed by", "why"],
    )
    left_out = pl.DataFrame(
        sorted(then.exclusion_reasons.items()), schema=["memory", "reason"], orient="row"
    )
    mo.vstack(
        [
            mo.md(
                f"Head `{head}`, {len(then.history)} changesets behind it: {then.total_active} memories, {len(then.unresolved_conflicts)} open conflicts."
            ),
            mo.ui.table(memories, selection=None),
            mo.md("**Not shown**"),
            mo.ui.table(left_out, selection=None),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
