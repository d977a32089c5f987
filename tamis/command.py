"""What every verb of the command line shares: its options, its errors, its exit codes."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from tamis.errors import ENVIRONMENT, TamisError
from tamis.moments import naive_utc
from tamis.progress import Progress


@dataclass(frozen=True)
class Context:
    """What every verb is told: the home option, and how to print."""

    home_option: str | None
    as_json: bool
    quiet: bool

    @property
    def home(self) -> Path:
        from tamis.home import resolve_home

        return resolve_home(self.home_option, os.environ)

    def say(self, text: str = "") -> None:
        """Print a line for a person, unless a program or nobody is listening."""
        if not self.as_json and not self.quiet:
            click.echo(text)

    def note(self, text: str) -> None:
        """Print a line on how things go, to stderr."""
        if not self.quiet:
            click.echo(text, err=True)

    def answer(self, verb: str, body: dict[str, Any]) -> None:
        """Print the one JSON document of a verb, where one is wanted."""
        if self.as_json:
            from tamis.render import document

            click.echo(document(verb, body))

    @contextmanager
    def bar(self, label: str) -> Iterator[Progress | None]:
        """A progress bar on stderr, where that is a terminal."""
        if self.quiet or not sys.stderr.isatty():
            yield None
            return
        with click.progressbar(length=1, label=label, file=sys.stderr) as shown:

            def advance(done: int, total: int) -> None:
                shown.length = total
                shown.update(max(0, done - shown.pos))

            yield advance


def now() -> datetime:
    """The time, naive UTC; nothing below the command line asks for it."""
    return naive_utc(datetime.now(UTC))


def settings_of(context: Context) -> Any:
    from tamis.home import load_settings

    return load_settings(context.home)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tamis")
@click.option(
    "--home", metavar="DIR", help="Where tamis keeps its things [$TAMIS_HOME or ~/.tamis]."
)
@json_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def main(click_context: click.Context, home: str | None, as_json: bool, quiet: bool) -> None:
    """A sieve for agent memory: land, curate, prove, measure, hand on."""
    # What tamis writes holds memories: nobody else on the machine reads them.
    os.umask(0o077)
    click_context.obj = Context(home, as_json, quiet)


def is_environment(error: Exception) -> bool:
    """Whether an error is of the disk or of a database file, and not of the program."""
    return isinstance(error, OSError | sqlite3.Error) or type(error).__module__ == "_duckdb"


def verb(
    name: str, group: click.Group = main
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Register a verb: its function gets the context, and returns an exit code or nothing.

    `--json` may stand before the verb or behind it. A TamisError becomes one line on stderr and
    its exit code, whatever the verb.
    """

    def register(function: Callable[..., int | None]) -> click.Command:
        @wraps(function)
        def guarded(context: Context, as_json: bool, **arguments: Any) -> None:
            context = replace(context, as_json=context.as_json or as_json)
            try:
                code = function(context, **arguments)
            except TamisError as error:
                click.echo(f"tamis: {error}", err=True)
                sys.exit(error.exit_code)
            except BrokenPipeError:
                # The reader has seen enough; stdout must not be flushed into its closed end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.exit(0)
            except Exception as error:
                if not is_environment(error):
                    raise
                reason = (str(error).strip() or type(error).__name__).splitlines()[0]
                click.echo(f"tamis: {name} could not go on: {reason}", err=True)
                sys.exit(ENVIRONMENT)
            sys.exit(code or 0)

        return group.command(name)(json_option(click.pass_obj(guarded)))

    return register
