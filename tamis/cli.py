"""The command line: arguments, printing, exit codes."""

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from tamis.command import Context, main, now, settings_of, verb
from tamis.errors import ENVIRONMENT, GATE_FAILED, USAGE, TamisError
from tamis.serve import verbs

__all__ = ["main", "verbs"]

land_options = [
    click.argument("sources", nargs=-1, metavar="[SOURCE]..."),
    click.option(
        "--from",
        "paths",
        multiple=True,
        metavar="PATH",
        help="Land this file, folder or address instead of the usual places; may be repeated.",
    ),
]


def with_land_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(land_options):
        function = option(function)
    return function


full_refresh_option = click.option(
    "--full-refresh", is_flag=True, help="Build incremental models anew."
)


@verb("demo")
def demo(context: Context) -> int:
    """Run the whole line on packaged captures, and print what curation changed."""
    from tamis.demo.show import run_demo

    with context.bar("building") as progress:
        shown = run_demo(
            context.home if context.home_option else None,
            now=now(),
            note=context.note,
            progress=progress,
        )
    context.say(shown.text)
    context.answer("demo", shown.data)
    return 0


@verb("land")
@with_land_options
@click.option("--dry-run", is_flag=True, help="Count what would land, and write nothing.")
@click.option("--watch", "watches", is_flag=True, help="Go on landing as captures grow.")
def land(
    context: Context,
    sources: tuple[str, ...],
    paths: tuple[str, ...],
    dry_run: bool,
    watches: bool,
) -> int:
    """Land what agents captured, from the usual places or from the given paths."""
    if watches and dry_run:
        raise TamisError("--watch writes and --dry-run does not: choose one", USAGE)
    if watches:
        watch_captures(context, sources, paths)
        return 0
    report = landed(context, sources, paths, dry_run)
    context.answer("land", asdict(report))
    return ENVIRONMENT if report.failed else 0


def landed(
    context: Context, sources: tuple[str, ...], paths: tuple[str, ...], dry_run: bool = False
) -> Any:
    from tamis.land import land as land_captures
    from tamis.render import landing_text

    with context.bar("landing") as progress:
        report = land_captures(
            context.home,
            roots=list(paths) or None,
            sources=sources or None,
            environ=os.environ,
            cwd=Path.cwd(),
            now=now(),
            progress=progress,
            dry_run=dry_run,
        )
    context.say(landing_text(report))
    warn_of_failed(report)
    return report


def warn_of_failed(report: Any) -> None:
    for path, reason in report.failed:
        click.echo(f"tamis: could not read {path}: {reason}", err=True)


def watch_captures(context: Context, sources: tuple[str, ...], paths: tuple[str, ...]) -> None:
    """Land until a signal comes; one line, or one JSON document, for each batch."""
    from tamis.render import batch_text
    from tamis.watch import Signalled, Watch

    def tell(report: Any) -> None:
        context.say(batch_text(report))
        context.answer("land", asdict(report))
        sys.stdout.flush()
        warn_of_failed(report)

    Watch(
        home=context.home,
        roots=list(paths) or None,
        sources=sources or None,
        environ=os.environ,
        cwd=Path.cwd(),
        clock=now,
        every_seconds=settings_of(context).watch_seconds,
        tell=tell,
        note=context.note,
        stop=Signalled(),
    ).run()


@verb("build")
@full_refresh_option
def build(context: Context, full_refresh: bool) -> None:
    """Build the models and test the invariants."""
    from tamis import run
    from tamis.warehouse import writer

    settings = settings_of(context)
    with writer(context.home), context.bar("building") as progress:
        build_id, report = run.build(
            context.home, settings, now=now(), full_refresh=full_refresh, progress=progress
        )
    context.say(f"build {build_id}: {report.passed} models and tests passed")
    context.answer("build", {"build_id": build_id, "passed": report.passed})


@verb("check")
def check(context: Context) -> None:
    """Check the built marts once more, before they are published."""
    from tamis import run, validate
    from tamis.warehouse import writer

    settings = settings_of(context)
    with writer(context.home):
        report = run.check(context.home, settings, now=now())
    context.say(f"{len(report.outcomes)} expectations hold; Data Docs: {report.data_docs}")
    context.answer("check", {"expectations": validate.as_json(report)})


@verb("publish")
def publish(context: Context) -> None:
    """Publish the checked build to its readers."""
    from tamis import run
    from tamis.warehouse import writer

    with writer(context.home):
        published = run.publish(context.home, now=now())
    context.say(f"published {published.build_id}: {published.rows['facts']} facts")
    context.answer("publish", asdict(published))


@verb("run")
@with_land_options
@full_refresh_option
def run_all(
    context: Context, sources: tuple[str, ...], paths: tuple[str, ...], full_refresh: bool
) -> int:
    """Land, build, check and publish; stops early where nothing changed."""
    from tamis import run
    from tamis.publish import current_build_id
    from tamis.render import run_text

    settings = settings_of(context)
    landing = landed(context, sources, paths)
    if not landing.entities and not landing.failed and current_build_id(context.home) is None:
        context.answer("run", {"landing": asdict(landing), "run": None})
        return 0
    with context.bar("building") as progress:
        report = run.run(
            context.home, settings, now=now(), full_refresh=full_refresh, progress=progress
        )
    context.say(run_text(context.home, report))
    context.answer("run", {"landing": asdict(landing), "run": asdict(report)})
    return ENVIRONMENT if landing.failed else 0


@verb("explain")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Try these rows of noise_rules.csv beside the home's, without adding them.",
)
def explain(context: Context, file: str, rules: Path | None) -> int:
    """Say what curation makes of events, given as JSON lines; one JSON line each comes back."""
    import json

    from tamis.explain import explainer, read_lines
    from tamis.render import plain

    ready = explainer(
        context.home, settings_of(context), os.environ, note=context.note, trial=rules
    )
    failed = False
    for batch in read_lines(file):
        for verdict in ready.explain(batch):
            failed = failed or "error" in verdict
            click.echo(json.dumps(verdict, ensure_ascii=False, default=plain))
        sys.stdout.flush()
    return USAGE if failed else 0


@verb("why")
@click.argument("identifier", metavar="ID")
def why(context: Context, identifier: str) -> None:
    """Tell where an event or a fact came from, and what became of it."""
    from tamis.render import why_text
    from tamis.why import why as tell

    found = tell(context.home, identifier)
    context.say(why_text(found))
    context.answer("why", found)


@verb("recall")
@click.argument("query")
@click.option("--project", help="Facts of this project, by key or short name, and of none.")
@click.option("--namespace", help="Whose memory [the session key's, else the user's own].")
@click.option("--worktree", help="Facts of this linked worktree, and of none.")
@click.option("--session-key", help="The session that asks.")
@click.option("--trigger", help="What started it; a machine gets no facts.")
@click.option("--as-of", type=click.DateTime(), help="Facts that held at this time, UTC.")
@click.option(
    "--rules",
    type=click.Choice(["none", "explicit", "automatic"]),
    default="none",
    show_default=True,
    help="Drop what is of little relevance: as for a search, or as for each prompt.",
)
@click.option("--new-session", is_flag=True, help="The query opens a session; see --rules.")
@click.option("--known-at", type=click.DateTime(), help="By what was known at this time, UTC.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
def recall(context: Context, query: str, **options: Any) -> None:
    """Rank the current facts that answer a query."""
    from tamis.publish import current_build
    from tamis.recall.answers import recall as rank
    from tamis.render import recall_text

    facts = rank(current_build(context.home), query, **options)
    context.say(recall_text(facts.to_dicts()))
    context.answer("recall", {"query": query, "facts": facts.to_dicts()})


@verb("context")
@click.option("--project", help="By its key, a short name, or its id in Memory Git.")
@click.option("--query", default="", help="What the memories are wanted for.")
@click.option("--ref", default="refs/shared/main", show_default=True, help="What accepted them.")
@click.option("--head", default="", help="An older changeset of the ref [its newest].")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True)
@click.option("--budget", type=click.IntRange(min=1), help="Tokens of the text [context_budget].")
@click.option("--session-key", help="The session that asks, by its key or its id.")
@click.option("--trigger", help="What started it; a machine gets nothing.")
@click.option("--manifest", metavar="ID", help="Show what was given, and when first.")
def context(context: Context, manifest: str | None, **options: Any) -> None:
    """Give the accepted memory of a project to a model, and pin it by a manifest."""
    from tamis import context as memory
    from tamis.render import context_text, manifest_text

    if manifest:
        stored = memory.manifest(context.home, manifest)
        if stored is None:
            raise TamisError(f"no manifest {manifest} in {context.home}", USAGE)
        context.say(manifest_text(stored))
        context.answer("context", {"manifest": stored})
        return
    if not options["project"]:
        raise TamisError("name a --project, or a --manifest", USAGE)
    request = memory.ContextRequest(**{**options, "budget": options["budget"] or 0})
    found = memory.assemble(context.home, settings_of(context), request, now=now(), stores=True)
    context.say(context_text(found.text, found.manifest))
    context.answer("context", found.as_json())


@verb("eval")
@click.argument("golden", required=False, metavar="[SET]")
@click.option("--data", type=click.Path(path_type=Path), help="The file or folder of a public set.")
@click.option(
    "--part",
    type=click.Choice(["held-out", "tuned", "all"]),
    default="held-out",
    show_default=True,
    help="Which conversations of LoCoMo are asked about.",
)
@click.option(
    "--pollute",
    "pollutions",
    multiple=True,
    metavar="NAME",
    help="A polluted store: mild, hard, severe, or one knob; may be repeated [all three].",
)
@click.option("--questions", "most", type=click.IntRange(min=1), help="Ask only the first ones.")
@click.option("--html", type=click.Path(path_type=Path), help="Write one page that needs no other.")
def evaluate(context: Context, golden: str | None, html: Path | None, **options: Any) -> None:
    """Measure recall before and after: demo, locomo, longmemeval, or a file of questions.

    Without a set, the questions of the home are asked of its published build.
    """
    from tamis.evaluation.page import write_page
    from tamis.evaluation.report import data, evaluation_text
    from tamis.evaluation.sets import evaluate_set

    with context.bar("building") as progress:
        evaluation = evaluate_set(
            golden,
            home=context.home,
            keeps=bool(context.home_option),
            now=now(),
            note=context.note,
            progress=progress,
            **options,
        )
    if isinstance(evaluation, str):
        context.say(f"{evaluation}: name it with --data")
        context.answer("eval", {"set": golden, "skipped": evaluation})
        return
    if html:
        write_page(evaluation, html)
    context.say(evaluation_text(evaluation))
    context.answer("eval", data(evaluation))


@verb("status")
def status(context: Context) -> int:
    """Say what is not well; silent when all is."""
    from tamis.render import plain_lines
    from tamis.status import status as examine

    found = examine(context.home, now())
    if found.troubles:
        context.say(plain_lines(found.troubles))
    context.answer("status", asdict(found))
    return GATE_FAILED if found.last_build_failed else 0


@verb("doctor")
def doctor(context: Context) -> None:
    """Show versions, sources, what is new in them, what could not be read and why."""
    from tamis.render import diagnosis_text
    from tamis.status import diagnose

    found = diagnose(context.home, now(), os.environ, Path.cwd())
    context.say(diagnosis_text(found))
    context.answer("doctor", asdict(found))


@verb("notebook")
@click.argument("name", type=click.Choice(["curation", "recall", "own_store", "rules", "history"]))
@click.option("--edit", is_flag=True, help="Open it for editing a copy in the home.")
@click.option("--headless", is_flag=True, help="Open no browser.")
@click.option("--port", type=int, help="The port to serve it on.")
def notebook(context: Context, name: str, edit: bool, headless: bool, port: int | None) -> int:
    """Open a notebook on the published build."""
    from tamis.notebooks import serve

    return serve(context.home, name, edit=edit, headless=headless, port=port)
