import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="tamis: rules")


@app.cell(hide_code=True)
def _():
    import json
    import os

    import marimo as mo
    import polars as pl

    from tamis.errors import TamisError
    from tamis.explain import explainer
    from tamis.home import load_settings, resolve_home
    from tamis.notebooks import nothing_published
    from tamis.publish import current_folder
    from tamis.rules.preview import by_source, matches_in, row_to_paste, shown

    return (
        TamisError,
        by_source,
        current_folder,
        explainer,
        json,
        load_settings,
        matches_in,
        mo,
        nothing_published,
        os,
        pl,
        resolve_home,
        row_to_paste,
        shown,
    )


@app.cell(hide_code=True)
def _(current_folder, mo, nothing_published, os, resolve_home):
    home = resolve_home(None, os.environ)
    published = current_folder(home)
    mo.stop(published is None, mo.md(nothing_published(home)))
    return home, published


@app.cell(hide_code=True)
def _(pl, published):
    rejections = pl.read_parquet(published / "rejections.parquet")
    by_rule = (
        rejections.group_by("rule_id", "category", "reason")
        .agg(pl.len().alias("events"))
        .sort(["events", "rule_id"], descending=[True, False])
    )
    sources = sorted(
        {
            *rejections["source_system"].unique(),
            *pl.read_parquet(published / "fact_sources.parquet", columns=["source_system"])[
                "source_system"
            ].unique(),
        }
    )
    return by_rule, rejections, sources


@app.cell(hide_code=True)
def _(by_rule, mo, published):
    rule = mo.ui.dropdown(
        {f"{row[0]} ({row[3]})": row[0] for row in by_rule.iter_rows()},
        value=f"{by_rule['rule_id'][0]} ({by_rule['events'][0]})" if len(by_rule) else None,
        label="rule",
        searchable=True,
    )
    mo.vstack(
        [
            mo.md(
                f"# What the rules refuse\n\nBuild `{published.name}`. Each refused event names the first rule that matched it; what the rule's pattern matched is marked."
            ),
            rule,
        ]
    )
    return (rule,)


@app.cell(hide_code=True)
def _(by_rule, mo, pl, rejections, rule, shown):
    chosen = by_rule.filter(pl.col("rule_id") == rule.value)
    refused = rejections.filter(pl.col("rule_id") == rule.value).sort("source_system", "event_id")
    mo.stop(not len(chosen), mo.md("No event was refused."))
    mo.vstack(
        [
            mo.hstack(
                [
                    mo.stat(chosen["events"][0], label="refused"),
                    mo.stat(chosen["category"][0] or "none", label="category"),
                    mo.plain_text(chosen["reason"][0] or "the rule is gone"),
                ],
                justify="start",
                align="center",
            ),
            mo.ui.table(
                refused.group_by("source_system")
                .agg(pl.len().alias("events"))
                .sort("source_system"),
                selection=None,
            ),
            mo.Html(shown(refused)),
        ]
    )
    return


@app.cell(hide_code=True)
def _(mo, sources):
    event = (
        mo.md("{text}\n\n{role} {event_kind} {source_system}")
        .batch(
            text=mo.ui.text_area(label="text", full_width=True, rows=4),
            role=mo.ui.dropdown(["user", "assistant", "tool"], value="user", label="role"),
            event_kind=mo.ui.dropdown(
                ["turn", "memory", "observation", "summary", "tool_result", "prompt", "system"],
                value="turn",
                label="kind",
            ),
            source_system=mo.ui.dropdown(
                sources, value=sources[0] if sources else None, label="source"
            ),
        )
        .form(submit_button_label="Explain")
    )
    mo.vstack(
        [
            mo.md(
                "# Try an event\n\nJudged by the real models and the rules of your home, as `tamis explain` does. The first time takes some seconds."
            ),
            event,
        ]
    )
    return (event,)


@app.cell(hide_code=True)
def _(TamisError, event, explainer, home, json, load_settings, mo):
    mo.stop(event.value is None)
    try:
        with mo.status.spinner("asking the models …"):
            ready = explainer(home, load_settings(home), {}, note=lambda said: None, keep=False)
            verdict = ready.explain([json.dumps(event.value | {"content": event.value["text"]})])[0]
        told = mo.vstack(
            [
                mo.md(
                    f"**Refused** by `{verdict['noise_rule']}`"
                    if verdict["noise_rule"]
                    else "**Kept**: no rule refuses it"
                ),
                mo.plain_text(json.dumps(verdict, ensure_ascii=False, indent=2)),
            ]
        )
    except TamisError as error:
        told = mo.callout(mo.plain_text(str(error)), kind="danger")
    told
    return


@app.cell(hide_code=True)
def _(mo, sources):
    anything = "anything"
    candidate = (
        mo.md(
            "{pattern}\n\n{purpose} {role} {source}\n\n{rule_id}\n\n{reason}\n\n{example}\n\n{counter_example}"
        )
        .batch(
            pattern=mo.ui.text(label="pattern", full_width=True, placeholder="^Standup:"),
            purpose=mo.ui.dropdown(["refuse", "keep"], value="refuse", label="to"),
            role=mo.ui.dropdown([anything, "user", "assistant"], value=anything, label="role"),
            source=mo.ui.dropdown([anything, *sources], value=anything, label="source"),
            rule_id=mo.ui.text(label="name", placeholder="standup_bot"),
            reason=mo.ui.text(label="reason", full_width=True),
            example=mo.ui.text(label="example", full_width=True),
            counter_example=mo.ui.text(label="counter-example", full_width=True),
        )
        .form(submit_button_label="Try")
    )
    mo.vstack(
        [
            mo.md(
                "# Try a pattern\n\nOn all that is published: what a rule would newly refuse, or an exception newly keep."
            ),
            candidate,
        ]
    )
    return anything, candidate


@app.cell(hide_code=True)
def _(
    TamisError, anything, by_source, candidate, matches_in, mo, pl, published, row_to_paste, shown
):
    mo.stop(candidate.value is None)
    given = candidate.value
    role = None if given["role"] == anything else given["role"]
    source = None if given["source"] == anything else given["source"]
    refuses = given["purpose"] == "refuse"
    try:
        matches = matches_in(published, given["pattern"], role=role, source=source)
    except TamisError as error:
        found = mo.callout(mo.plain_text(str(error)), kind="danger")
    else:
        # An exception keeps what a rule about texts refuses, never what a condition alone does.
        texts = matches.filter(pl.col("rule_id").is_not_null() & pl.col("refused_by_text"))
        changed = matches.filter(pl.col("rule_id").is_null()) if refuses else texts
        condition = " and ".join(
            f"{column} = '{value}'"
            for column, value in (("role", role), ("source_system", source))
            if value
        )
        row = {"rule_id" if refuses else "exception_id": given["rule_id"] or "name_it"}
        row |= {"condition": condition} if refuses and condition else {}
        row |= {"pattern": given["pattern"]}
        row |= {name: given[name] for name in ("reason", "example", "counter_example")}
        file = "noise_rules.csv" if refuses else "kept_exceptions.csv"
        found = mo.vstack(
            [
                mo.hstack(
                    [
                        mo.stat(len(changed), label=f"newly {'refused' if refuses else 'kept'}"),
                        mo.stat(len(matches) - len(changed), label="matched, as before"),
                    ],
                    justify="start",
                ),
                mo.ui.table(by_source(matches), selection=None),
                mo.Html(shown(changed)),
                mo.md(f"For `rules/{file}` in your home (`tamis explain --rules` tests the row):"),
                mo.plain_text(row_to_paste(row)),
            ]
        )
    found
    return


if __name__ == "__main__":
    app.run()
