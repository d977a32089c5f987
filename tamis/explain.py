"""Say what curation makes of events that were never landed, by the real models' own SQL.

The models are compiled once per version of the project, then replayed over an in-memory
catalog of the warehouse's name.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from tamis.build import last_error, project_fingerprint, run_dbt
from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import Settings, prepare_home, project_dir
from tamis.sources.git import checkout
from tamis.warehouse import ENVELOPE, as_dicts, connect, warehouse_path

BATCH_SIZE = 5000
CATALOG = "tamis"
CHECKOUTS = "stg_git__checkouts"
ROW_WISE_MODELS = (
    "int_events_normalized",
    "int_events_redacted",
    "int_folders_placed",
    "int_events_keyed",
    "int_events_hashed",
    "int_events_classified",
)
TEXT_COLUMNS = (
    "event_id",
    "source_system",
    "source_entity",
    "native_id",
    "part",
    "parent_native_id",
    "session_key",
    "session_id",
    "turn_id",
    "agent_id",
    "user_id",
    "role",
    "event_kind",
    "trigger_kind",
    "cwd",
    "git_branch",
    "content",
    "occurred_at",
    "landed_at",
    "record_id",
    "metadata",
)
ANSWER = """
    select
        bodies.body,
        bodies.steps,
        hashes.body_hash,
        classified.rule_id as noise_rule,
        noise_rules.reason,
        keys.namespace,
        keys.agent_id,
        keys.is_subagent,
        keys.is_interactive,
        coalesce(keys.known_project_key, 'unknown-project') as project_key,
        keys.worktree
    from intermediate.int_events_unioned as events
    inner join intermediate.int_events_redacted as bodies on events.event_id = bodies.event_id
    inner join intermediate.int_events_hashed as hashes on events.event_id = hashes.event_id
    inner join intermediate.int_events_keyed as keys on events.event_id = keys.event_id
    inner join intermediate.int_events_classified as classified
        on events.event_id = classified.event_id
    left join seeds.noise_rules as noise_rules on classified.rule_id = noise_rules.rule_id
    order by events.event_order
"""


class Explainer:
    """The compiled row-wise models over an in-memory catalog, ready for batches of events."""

    def __init__(
        self,
        compiled: Mapping[str, str],
        settings: Settings,
        checkouts: pa.Table | None = None,
        ask: Callable[[str], str | None] = lambda cwd: None,
    ) -> None:
        """Make the catalog ready.

        Args:
            compiled: the SQL of each model.
            settings: for what lines leave out.
            checkouts: what git said of folders: the raw records of a warehouse.
            ask: what git says of a folder that has no such record, as JSON text or None.
        """
        self._compiled = compiled
        self._settings = settings
        self._ask = ask
        self._connection = duckdb.connect()
        self._connection.execute(f"attach ':memory:' as {CATALOG}")
        self._connection.execute(f"use {CATALOG}")
        self._connection.execute("set timezone = 'UTC'")
        for schema in ("raw", "seeds", "staging", "intermediate"):
            self._connection.execute(f"create schema {schema}")
        for seed in ("noise_rules", "project_aliases"):
            path = str(project_dir() / "seeds" / f"{seed}.csv").replace("'", "''")
            self._connection.execute(
                f"create table seeds.{seed} as"
                f" select * from read_csv('{path}', header = true, all_varchar = true)"
            )
        self._connection.execute(f"create table raw.git__checkouts ({ENVELOPE})")
        if checkouts is not None:
            self._connection.register("landed", checkouts)
            self._connection.execute("insert into raw.git__checkouts by name from landed")
            self._connection.unregister("landed")
        known = self._connection.execute("select container from raw.git__checkouts").fetchall()
        self._asked = {container for (container,) in known}
        self._connection.execute(f"create view staging.{CHECKOUTS} as {self._compiled[CHECKOUTS]}")

    def explain(self, lines: Sequence[str]) -> list[dict[str, Any]]:
        """What curation makes of each event, in the order of the lines.

        Args:
            lines: JSON objects with any of the event columns; `content` is the text.

        Returns:
            One mapping a line: the verdict's fields with the `event_id` that was given, or
            `error` where the line is no JSON object or a field has the wrong type.
        """
        answers: list[dict[str, Any]] = []
        events: list[dict[str, Any]] = []
        places: list[int] = []
        for line in lines:
            try:
                event = read_event(line, self._settings)
            except ValueError as error:
                answers.append({"error": str(error)})
                continue
            places.append(len(answers))
            answers.append({"event_id": event.pop("given_id")})
            # The given id is only echoed: two lines may carry the same one.
            event["event_id"] = str(len(events))
            events.append(event)
        for place, verdict in zip(places, self._replay(events), strict=True):
            answers[place] |= verdict
        return answers

    def _replay(self, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not events:
            return []
        self._ask_git({event["cwd"] for event in events if event["cwd"]})
        table = pa.table(
            {
                name: pa.array([event[name] for event in events], pa.string())
                for name in TEXT_COLUMNS
            }
            | {"event_order": pa.array(range(len(events)), pa.int64())}
        )
        self._connection.register("given_events", table)
        self._connection.execute(
            "create or replace table intermediate.int_events_unioned as"
            " select * replace (try_cast(occurred_at as timestamp) as occurred_at)"
            " from given_events"
        )
        self._connection.execute(
            "create or replace table intermediate.int_events_ordered as"
            " select event_id, event_order from given_events"
        )
        for name in ROW_WISE_MODELS:
            self._connection.execute(
                f"create or replace table intermediate.{name} as {self._compiled[name]}"
            )
        return as_dicts(self._connection.execute(ANSWER))

    def _ask_git(self, folders: set[str]) -> None:
        """Ask about each folder once, as a landing would."""
        for folder in sorted(folders - self._asked):
            self._asked.add(folder)
            answer = self._ask(folder)
            if answer is not None:
                self._connection.execute(
                    "insert into raw.git__checkouts (record_id, container, payload)"
                    " values (?, ?, ?)",
                    [folder, folder, answer],
                )


def explainer(
    home: Path, settings: Settings, note: Callable[[str], None], environ: Mapping[str, str]
) -> Explainer:
    """An explainer for the project as it is; compiles it where this version never was.

    Args:
        home: where the compiled models are kept, and what git said of folders.
        settings: become dbt variables.
        note: told that compiling takes a while.
        environ: for asking git about folders that no landing asked about.

    Raises:
        TamisError: exit 3 where dbt can't compile the project.
    """
    key = hashlib.sha256(
        json.dumps([project_fingerprint(), settings.of_builds()]).encode()
    ).hexdigest()
    cached = home / "explain" / f"{key}.json"
    if not cached.exists():
        note("compiling the models, once for this version of the rules …")
        prepare_home(home)
        shutil.rmtree(cached.parent, ignore_errors=True)
        cached.parent.mkdir(mode=0o700)
        partial = cached.with_suffix(".new")
        partial.write_text(json.dumps(compile_models(cached.parent / "scratch", settings)))
        partial.replace(cached)
    return Explainer(
        json.loads(cached.read_text()),
        settings,
        landed_checkouts(home, note),
        lambda cwd: checkout(cwd, environ),
    )


def landed_checkouts(home: Path, note: Callable[[str], None]) -> pa.Table | None:
    """What git said of folders, as the home's landings kept it; None before the first one."""
    if not warehouse_path(home).exists():
        return None
    try:
        with closing(connect(home, read_only=True)) as warehouse:
            return warehouse.execute("select * from raw.git__checkouts").to_arrow_table()
    except TamisError as error:
        note(f"git's landed answers are left out: {error}")
    except duckdb.Error:
        # A warehouse in which nothing but other sources was ever landed.
        pass
    return None


def compile_models(scratch: Path, settings: Settings) -> dict[str, str]:
    """The compiled SQL of the row-wise models, by name; made against a scratch warehouse."""
    models = (CHECKOUTS, *ROW_WISE_MODELS)
    arguments = ["compile", "--full-refresh", "--select", *models]
    output = run_dbt(scratch, settings, arguments, run_id="explain")
    manifest_path = scratch / "dbt" / "target" / "manifest.json"
    nodes = (
        json.loads(manifest_path.read_text())["nodes"].values() if manifest_path.exists() else ()
    )
    compiled = {
        node["name"]: node["compiled_code"]
        for node in nodes
        if node["name"] in models and "compiled_code" in node
    }
    if len(compiled) < len(models):
        raise TamisError(f"dbt could not compile the project: {last_error(output)}", ENVIRONMENT)
    shutil.rmtree(scratch, ignore_errors=True)
    return compiled


def read_event(line: str, settings: Settings) -> dict[str, Any]:
    """One JSON line as an event with every column a text or None.

    Raises:
        ValueError: the line is no JSON object, or a column's value is no scalar.
    """
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        # The decoder's own message can quote the line.
        raise ValueError(f"not JSON ({type(error).__name__})") from None
    if not isinstance(given, dict):
        raise ValueError("not a JSON object")
    event: dict[str, Any] = {"given_id": given.get("event_id")}
    defaults = {"event_kind": "turn", "role": "user", "user_id": settings.user_id}
    for name in TEXT_COLUMNS:
        value = given.get(name)
        if value is None:
            value = defaults.get(name)
        elif name == "metadata":
            value = json.dumps(read_object(value))
        elif isinstance(value, dict | list):
            raise ValueError(f"{name} must be a text, not {type(value).__name__}")
        event[name] = None if value is None else whole_text(str(value))
    return event


def read_object(value: Any) -> dict[str, Any]:
    """An event's metadata: an object, or one as JSON text.

    Raises:
        ValueError: it is neither; the message does not repeat it.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueError("metadata must be a JSON object") from None
    if not isinstance(value, dict):
        raise ValueError("metadata must be a JSON object")
    return value


def whole_text(text: str) -> str:
    """The text with lone surrogates replaced, as landing's staging reads them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def batches(lines: Iterable[str], size: int = BATCH_SIZE) -> Iterator[list[str]]:
    """The lines that are not blank, in lists of at most `size`."""
    remaining = (line for line in lines if line.strip())
    while batch := list(islice(remaining, size)):
        yield batch


def read_lines(file: str, size: int = BATCH_SIZE) -> Iterator[list[str]]:
    """The lines of a file or of standard input ("-"), in batches.

    A batch ends at `size` lines, or when the input has nothing more to give for the moment, so
    that somebody who types one event sees its verdict at once.

    Raises:
        TamisError: exit 2 where the file can't be read.
    """
    if file == "-":
        yield from _read_as_it_comes(sys.stdin.fileno(), size)
        return
    try:
        with Path(file).open(encoding="utf-8", errors="replace", newline="\n") as lines:
            yield from batches(lines, size)
    except OSError as error:
        raise TamisError(f"can't read {file}: {error.strerror}", USAGE) from error


def _read_as_it_comes(descriptor: int, size: int) -> Iterator[list[str]]:
    rest = b""
    while chunk := os.read(descriptor, 1 << 20):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from batches((line.decode(errors="replace") for line in lines), size)
    yield from batches([rest.decode(errors="replace")], size)
