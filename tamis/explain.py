"""Say what curation makes of events that were never landed, by the real models' own SQL.

The models are compiled once per version of the project, then replayed over an in-memory
catalog of the warehouse's name.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from tamis.build import last_error, project_fingerprint, run_dbt
from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import Settings, prepare_home
from tamis.rules.own import rules_of, write_rules
from tamis.rules.rows import Seeds, version_of
from tamis.sources.git import checkout
from tamis.warehouse import ENVELOPE, as_dicts, connect, warehouse_path

BATCH_SIZE = 5000
CATALOG = "tamis"
CHECKOUTS = "stg_git__checkouts"
ROW_WISE_MODELS = (
    "int_events_normalized",
    "int_texts_redacted",
    "int_events_redacted",
    "int_folders_placed",
    "int_events_keyed",
    "int_events_hashed",
    "int_events_classified",
    "int_events_located",
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
        bodies.step_lengths,
        bodies.secret_kinds,
        hashes.body_hash,
        classified.rule_id as noise_rule,
        noise_rules.category,
        noise_rules.reason,
        located.match_position,
        located.match_length,
        keys.namespace,
        keys.agent_id,
        keys.is_subagent,
        keys.is_interactive,
        coalesce(keys.known_project_key, 'unknown-project') as project_key,
        keys.project_found_by,
        keys.worktree
    from intermediate.int_events_unioned as events
    inner join intermediate.int_events_redacted as bodies on events.event_id = bodies.event_id
    inner join intermediate.int_events_hashed as hashes on events.event_id = hashes.event_id
    inner join intermediate.int_events_keyed as keys on events.event_id = keys.event_id
    inner join intermediate.int_events_classified as classified
        on events.event_id = classified.event_id
    left join intermediate.int_events_located as located on events.event_id = located.event_id
    left join seeds.noise_rules as noise_rules on classified.rule_id = noise_rules.rule_id
    order by events.event_order
"""


class Explainer:
    """The compiled row-wise models over an in-memory catalog, ready for batches of events.

    Attributes:
        rules_version: which rules judge: the sha256 of what their rows say.
    """

    def __init__(
        self,
        compiled: Mapping[str, str],
        seeds: Seeds,
        settings: Settings,
        checkouts: pa.Table | None = None,
        ask: Callable[[str], str | None] = lambda cwd: None,
    ) -> None:
        """Make the catalog ready.

        Args:
            compiled: the SQL of each model.
            seeds: the rows that the models read.
            settings: for what lines leave out.
            checkouts: what git said of folders: the raw records of a warehouse.
            ask: what git says of a folder that has no such record, as JSON text or None.
        """
        self.rules_version = version_of(seeds)
        self._compiled = compiled
        self._settings = settings
        self._ask = ask
        self._connection = duckdb.connect()
        self._connection.execute(f"attach ':memory:' as {CATALOG}")
        self._connection.execute(f"use {CATALOG}")
        self._connection.execute("set timezone = 'UTC'")
        for schema in ("raw", "seeds", "staging", "intermediate"):
            self._connection.execute(f"create schema {schema}")
        for name, rows in seeds.items():
            # An empty cell is NULL, as dbt loads it.
            table = pa.table(
                {
                    column: pa.array([row[column] or None for row in rows], pa.string())
                    for column in rows[0]
                }
            )
            self._connection.register("seed_rows", table)
            self._connection.execute(f"create table seeds.{name} as select * from seed_rows")
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
            answers[place] |= verdict | {"rules_version": self.rules_version}
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
    home: Path,
    settings: Settings,
    environ: Mapping[str, str],
    note: Callable[[str], None],
    *,
    trial: Path | None = None,
    keep: bool = True,
) -> Explainer:
    """An explainer by the rules of a home; compiles the project where this version never was.

    Args:
        home: whose rules judge, where the compiled models are kept, and what git said of folders.
        settings: become dbt variables.
        environ: for asking git about folders that no landing asked about.
        note: told that compiling takes a while.
        trial: a file of noise rules that are tried beside the home's.
        keep: whether compiled models are kept; a reader that may write nothing keeps none.

    Raises:
        TamisError: exit 2 where a rule of the user's own is wrong, exit 3 where dbt can't compile
            the project.
    """
    seeds = rules_of(home, trial)
    return Explainer(
        compiled_models(home, settings, seeds, note, keep=keep),
        seeds,
        settings,
        landed_checkouts(home, note),
        lambda cwd: checkout(cwd, environ),
    )


def compiled_models(
    home: Path,
    settings: Settings,
    seeds: Seeds,
    note: Callable[[str], None],
    *,
    keep: bool,
) -> dict[str, str]:
    """The models' SQL for these rows, as kept in the home or compiled now."""
    parts = [project_fingerprint(), settings.of_builds(), version_of(seeds)]
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    cached = home / "explain" / f"{key}.json"
    if cached.exists():
        kept: dict[str, str] = json.loads(cached.read_text())
        return kept
    note("compiling the models, once for this version of the rules …")
    if keep:
        prepare_home(home)
        cached.parent.mkdir(mode=0o700, exist_ok=True)
    # Processes that try different rules at once don't write into each other's folder.
    with tempfile.TemporaryDirectory(dir=cached.parent if keep else None) as scratch:
        folder = Path(scratch)
        write_rules(seeds, folder / "rules")
        compiled = compile_models(folder / "home", settings, folder / "rules")
        if keep:
            partial = folder / cached.name
            partial.write_text(json.dumps(compiled))
            partial.replace(cached)
            forget_oldest(cached.parent)
    return compiled


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


def forget_oldest(folder: Path, most: int = 8) -> None:
    """Remove compiled models but for the newest."""
    found = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in found[:-most]:
        path.unlink(missing_ok=True)


def compile_models(scratch: Path, settings: Settings, rules: Path) -> dict[str, str]:
    """The compiled SQL of the row-wise models, by name; made against a scratch warehouse."""
    models = (CHECKOUTS, *ROW_WISE_MODELS)
    arguments = ["compile", "--full-refresh", "--select", *models]
    output = run_dbt(scratch, settings, arguments, run_id="explain", rules=rules)
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
