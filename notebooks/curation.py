import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: curation")


@app.cell(hide_code=True)
def _():
    import os

    import altair as alt
    import marimo as mo
    import polars as pl

    from tamis.home import resolve_home
    from tamis.notebooks import nothing_published
    from tamis.publish import current_folder

    return alt, current_folder, mo, nothing_published, os, pl, resolve_home


@app.cell(hide_code=True)
def _(current_folder, mo, nothing_published, os, resolve_home):
    home = resolve_home(None, os.environ)
    published = current_folder(home)
    mo.stop(published is None, mo.md(nothing_published(home)))
    return (published,)


@app.cell(hide_code=True)
def _(pl, published):
    summary = pl.read_parquet(published / "curation_summary.parquet")
    facts = pl.read_parquet(published / "facts.parquet")
    sources = pl.read_parquet(published / "fact_sources.parquet")
    rejections = pl.read_parquet(published / "rejections.parquet")
    return facts, rejections, sources, summary


@app.cell(hide_code=True)
def _(facts, mo, pl, published, summary):
    by_verdict = dict(summary.group_by("verdict").agg(pl.col("event_count").sum()).iter_rows())
    events = sum(by_verdict.values())
    mo.vstack(
        [
            mo.md(
                f"# What became of the events\n\nBuild `{published.name}`. Every event ends in one place: it opens a fact, repeats one, or is refused with a reason."
            ),
            mo.hstack(
                [
                    mo.stat(events, label="events"),
                    mo.stat(by_verdict.get("fact", 0), label="opened a fact"),
                    mo.stat(by_verdict.get("repeat", 0), label="repeated one"),
                    mo.stat(by_verdict.get("refused", 0), label="refused"),
                    mo.stat(int(facts["is_current"].sum()), label="current facts"),
                ],
                justify="start",
            ),
        ]
    )
    return


@app.cell(hide_code=True)
def _(alt, mo, pl, summary):
    verdicts = ["fact", "repeat", "refused"]
    funnel = (
        summary.group_by("source_system", "verdict")
        .agg(pl.col("event_count").sum(), pl.col("character_count").sum())
        .with_columns(
            step=pl.col("verdict").replace_strict(verdicts, range(len(verdicts)), default=9)
        )
        .sort("source_system", "step")
    )
    funnel_chart = (
        alt.Chart(funnel)
        .mark_bar()
        .encode(
            x=alt.X("event_count:Q", title="events", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("source_system:N", title=None),
            color=alt.Color(
                "verdict:N",
                scale=alt.Scale(domain=verdicts, range=["#2a7f62", "#9cc5a1", "#c8553d"]),
            ),
            order=alt.Order("step:Q"),
            tooltip=["source_system", "verdict", "event_count", "character_count"],
        )
        .properties(width=560, height=alt.Step(36))
    )
    reason_chart = (
        alt.Chart(summary.drop("summary_id"))
        .mark_bar()
        .encode(
            x=alt.X("event_count:Q", title="events", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("reason:N", sort="-x", title=None),
            row=alt.Row("verdict:N", sort=verdicts, title=None),
            color=alt.Color("source_system:N", title="source"),
            tooltip=["source_system", "verdict", "reason", "event_count", "character_count"],
        )
        .properties(width=480, height=alt.Step(18))
        .resolve_scale(y="independent")
    )
    mo.vstack([mo.md("## By source"), funnel_chart, mo.md("## By reason"), reason_chart])
    return


@app.cell(hide_code=True)
def _(alt, mo, pl, rejections):
    by_rule = (
        rejections.group_by("rule_id", "reason")
        .agg(pl.len().alias("events"), pl.col("text").str.len_chars().sum().alias("characters"))
        .sort(["events", "rule_id"], descending=[True, False])
    )
    rule_chart = (
        alt.Chart(by_rule.head(15))
        .mark_bar(color="#c8553d")
        .encode(
            x=alt.X("events:Q", title="events refused", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("rule_id:N", sort=None, title=None),
            tooltip=["rule_id", "reason", "events", "characters"],
        )
        .properties(width=560, height=alt.Step(20))
    )
    mo.vstack([mo.md("## The biggest rules"), rule_chart, mo.ui.table(by_rule, selection=None)])
    return


@app.cell(hide_code=True)
def _(facts, mo, pl, sources):
    kept = (
        facts.filter("is_current")
        .sort(["capture_count", "fact_id"], descending=[True, False])
        .select("text", "project_key", "capture_count", "source_systems")
        .head(10)
    )
    repeats = (
        sources.filter(pl.col("relation") != "first")
        .join(facts.select("fact_id", "text"), on="fact_id")
        .sort("occurred_at", "event_id", nulls_last=True)
        .select("text", "relation", "source_system", "session_id", "occurred_at")
        .head(10)
    )
    mo.vstack(
        [
            mo.md("## Examples\n\n**Facts that were seen most often**"),
            mo.ui.table(kept, selection=None),
            mo.md("**Events that repeat a fact, or that a longer text covers**"),
            mo.ui.table(repeats, selection=None),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, rejections):
    one_per_rule = (
        rejections.sort("rule_id", "occurred_at", "event_id", nulls_last=True)
        .group_by("rule_id", maintain_order=True)
        .first()
        .select("rule_id", "reason", pl.col("text").str.slice(0, 160), "source_system")
    )
    mo.vstack(
        [
            mo.md("**Refused events, one for each rule**"),
            mo.ui.table(one_per_rule, selection=None, page_size=20),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, pl, published):
    listed = published / "near_duplicates.parquet"
    # A build that was published before the mart was there has none.
    pairs = pl.read_parquet(listed) if listed.exists() else pl.DataFrame({"is_guarded": []})
    mo.stop(pairs.is_empty())
    mo.vstack(
        [
            mo.md(
                "## Near-duplicates\n\nPairs of facts that nearly agree, for review: nothing was merged. What a guard names forbids to take one for the other."
            ),
            mo.ui.table(
                pairs.sort(
                    ["is_guarded", "similarity_score", "pair_id"], descending=[False, True, False]
                )
                .select(
                    "text",
                    "other_text",
                    pl.col("similarity_score").round(2),
                    pl.col("guards").list.join(", "),
                    "project_key",
                )
                .head(200),
                selection=None,
                page_size=20,
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
