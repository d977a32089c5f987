"""Lethe: its SQLite database, and the memory context that its HTTP API answers with."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tamis.sources.source import (
    Answer,
    Database,
    Document,
    Feed,
    Record,
    Source,
    Table,
    Unreachable,
    compact_json,
    text_or_none,
)
from tamis.sources.sqlite_schema import read_schema

# Each tells Lethe's tables from those of others; the tables of Memory Git came late, and one
# database can have been made for it alone.
MARKS: tuple[tuple[set[str], tuple[str, ...]], ...] = (
    ({"memory_changesets"}, ("changeset_id", "idempotency_key")),
    ({"memory_changeset_ops"}, ("changeset_id", "op_type")),
    ({"events"}, ("event_type", "task_title", "task_status")),
)
ANSWER_WORDS = (b'"projection_version"', b'"memory-context/', b'"head_changeset_id"')
DEFAULT_ADDRESS = "http://localhost:18483"
CONTEXT_PATH = re.compile(r"/api/memory/(?P<project>[^/]+)/context/?$")
# The API gives no more at once.
MOST_MEMORIES = 100
TIMEOUT_SECONDS = 15.0
DEADLINE_SECONDS = 120.0
LONGEST_BODY_BYTES = 64 << 20
CHUNK_BYTES = 64 << 10

DATABASE = Database(
    tables=(
        Table("lethe__events", "events"),
        Table("lethe__sessions", "sessions"),
        Table("lethe__projects", "projects"),
        Table("lethe__changesets", "memory_changesets"),
        Table("lethe__changeset_ops", "memory_changeset_ops"),
        Table("lethe__refs", "memory_refs"),
        Table("lethe__conflicts", "memory_conflicts"),
        Table("lethe__manifests", "memory_manifests"),
        Table("lethe__legacy_baselines", "memory_legacy_baselines"),
        Table("lethe__context_assemblies", "context_assemblies"),
        Table("lethe__context_assembly_items", "context_assembly_items"),
        Table("lethe__context_assembly_feedback", "context_assembly_feedback"),
    )
)


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The database in the working folder, where Lethe makes it, and in its data folders.

    Lethe keeps no place of its own in the user's folder: its default is `./lethe.db`, its
    container's `./lethe-data`, which `LETHE_DATA_DIR` moves.
    """
    configured = environ.get("LETHE_DATA_DIR")
    folders = [cwd / configured] if configured else []
    folders += [cwd, cwd / "lethe-data", cwd / "lethe-git-data"]
    return [folder / "lethe.db" for folder in folders]


def recognise(path: Path, head: bytes) -> Answer | None:
    """SQLite files that define Lethe's tables, and answers of the API in a file.

    A file named `lethe.db` is Lethe's before it has any table.
    """
    if path.suffix == ".json" and all(word in head for word in ANSWER_WORDS):
        return SAVED_ANSWER
    schema = read_schema(path, head)
    if schema is None:
        return None
    if not schema.tables and path.name == "lethe.db":
        # The tables of a young database stand in its -wal alone.
        return DATABASE
    is_lethes = any(schema.defines(tables, *words) for tables, words in MARKS)
    return DATABASE if is_lethes else None


def addresses(environ: Mapping[str, str]) -> list[str]:
    """Lethe's own address, once `LETHE_PROJECTS` says which projects to ask for."""
    if not projects_of(environ):
        return []
    return [environ.get("LETHE_API_URL") or DEFAULT_ADDRESS]


def projects_of(environ: Mapping[str, str]) -> list[str]:
    """The projects that `LETHE_PROJECTS` names, with commas between them."""
    names = (name.strip() for name in environ.get("LETHE_PROJECTS", "").split(","))
    return list(dict.fromkeys(name for name in names if name))


def fetch(address: str, environ: Mapping[str, str]) -> Iterator[Record]:
    """The accepted memory of one project, or of each that `LETHE_PROJECTS` names.

    Args:
        address: the server, or the whole address of a project's context.
        environ: with `LETHE_API_KEY` and `LETHE_PROJECTS`.

    Raises:
        Unreachable: when a project can't be asked; the others are asked first.
    """
    troubles = []
    for project, url in context_addresses(address, projects_of(environ)):
        try:
            yield from context_records(project, answer_of(url, environ.get("LETHE_API_KEY", "")))
        except Unreachable as problem:
            troubles.append(f"project {project}: {problem}")
    if troubles:
        raise Unreachable("; ".join(troubles))


def context_addresses(address: str, projects: list[str]) -> list[tuple[str, str]]:
    """Each project to ask for with the whole address of its context.

    Raises:
        Unreachable: when the address can't be used, or nothing says which projects.
    """
    try:
        parts = urlsplit(address)
        is_usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable:
        raise Unreachable("the address can't be read: give http://host:port")
    if "@" in parts.netloc:
        raise Unreachable("the address holds a name or password: put the key in LETHE_API_KEY")
    whole = CONTEXT_PATH.search(parts.path)
    if whole:
        return [(unquote(whole["project"]), with_limit(parts))]
    if not projects:
        raise Unreachable("it is not said which projects to ask for: set LETHE_PROJECTS")
    base = parts.path.rstrip("/").removesuffix("/api")
    return [
        (name, with_limit(parts._replace(path=f"{base}/api/memory/{quote(name, safe='')}/context")))
        for name in projects
    ]


def with_limit(parts: SplitResult) -> str:
    """An address that asks for as many memories as the API gives, unless it says how many."""
    query = parse_qsl(parts.query, keep_blank_values=True)
    if "limit" not in dict(query):
        query.append(("limit", str(MOST_MEMORIES)))
    return parts._replace(query=urlencode(query), fragment="").geturl()


class SameServerOnly(HTTPRedirectHandler):
    """Follows a redirect on the same server; any other would take the key along."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """The request to send instead, None where it would go elsewhere."""
        try:
            is_same = server_of(newurl) == server_of(req.full_url)
        except ValueError:
            is_same = False
        return super().redirect_request(req, fp, code, msg, headers, newurl) if is_same else None


def server_of(url: str) -> tuple[str, str | None, int | None]:
    """What of an address says which server it is."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def answer_of(url: str, key: str) -> dict[str, Any]:
    """The JSON object at an address.

    Raises:
        Unreachable: without an answer, or with one of another kind.
    """
    headers = {"Accept": "application/json", "User-Agent": "tamis"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    try:
        request = Request(url, headers=headers)
        with build_opener(SameServerOnly).open(request, timeout=TIMEOUT_SECONDS) as response:
            body = body_of(response)
    except HTTPError as error:
        with error:
            raise Unreachable(status_text(error.code)) from None
    except TimeoutError:
        raise Unreachable("it does not answer in time") from None
    except URLError as error:
        is_late = isinstance(error.reason, TimeoutError)
        reason = getattr(error.reason, "strerror", None) or "no connection"
        raise Unreachable(
            "it does not answer in time" if is_late else f"it can't be reached: {reason}"
        ) from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise Unreachable(f"the connection broke: {reason}") from None
    except ValueError:
        # Its text would quote the header that holds the key.
        raise Unreachable("the address or LETHE_API_KEY holds what can't be sent") from None
    try:
        return read_context(body.decode())
    except ValueError as problem:
        # The text of the problem may quote the answer.
        what = "no memory context" if isinstance(problem, NoContext) else "no JSON"
        raise Unreachable(f"its answer is {what}") from None


class NoContext(ValueError):
    """JSON that is no memory context."""


def read_context(text: str) -> dict[str, Any]:
    """A memory context from its JSON text, its `memories` a list of objects.

    Raises:
        ValueError: when the text is no JSON, or none that can be written again; NoContext when
            it is another thing.
    """
    try:
        value = json.loads(text, parse_constant=refuse_constant, parse_float=finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(value, dict) or "memories" not in value:
        raise NoContext("no memory context")
    # An empty list of Go's is null.
    value["memories"] = [] if value["memories"] is None else value["memories"]
    memories = value["memories"]
    if not isinstance(memories, list) or not all(isinstance(one, dict) for one in memories):
        raise NoContext("its memories are no objects")
    return value


def body_of(response: HTTPResponse) -> bytes:
    """What a response holds, within bounds of size and time."""
    body = bytearray()
    begun = time.monotonic()
    while chunk := response.read1(CHUNK_BYTES):
        body += chunk
        if len(body) > LONGEST_BODY_BYTES:
            raise Unreachable(f"its answer is longer than {LONGEST_BODY_BYTES >> 20} MB")
        if time.monotonic() - begun > DEADLINE_SECONDS:
            raise Unreachable("it does not answer in time")
    if response.length:
        raise Unreachable("the connection broke: its answer is cut off")
    return bytes(body)


def status_text(status: int) -> str:
    """What an HTTP status other than 200 means for who landed."""
    if status in (401, 403):
        return f"it answers {status}: check LETHE_API_KEY"
    if status == 404:
        return "it answers 404: it has no such project or ref"
    if 300 <= status < 400:
        return f"it answers {status} and points to another server: give that one's address"
    return f"it answers {status}"


def refuse_constant(name: str) -> float:
    """NaN and infinities are no JSON, though Python reads them."""
    raise ValueError(name)


def finite(text: str) -> float:
    """A number; ValueError where it is too large to be written again."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


def context_records(project: str, context: dict[str, Any]) -> Iterator[Record]:
    """One record per memory, which does not change with the head, and one for the view itself."""
    project_id = text_or_none(context.get("project_id")) or project
    ref_name = text_or_none(context.get("ref_name")) or ""
    memories = context["memories"]
    for memory in memories:
        payload = {"project_id": project_id, "ref_name": ref_name, "memory": memory}
        name = text_or_none(memory.get("memory_id")) or ""
        yield Record("lethe__context_memories", f"{project_id}/{name}", compact_json(payload))
    view = {name: value for name, value in context.items() if name != "memories"}
    view = {"project_id": project_id, **view}
    view["memory_ids"] = [memory.get("memory_id") for memory in memories]
    yield Record("lethe__contexts", f"{project_id}/{ref_name}", compact_json(view))


def saved_records(path: Path, text: str) -> Iterator[Record]:
    """The records of an answer that was saved to a file; ValueError when it is broken."""
    yield from context_records("", read_context(text))


SAVED_ANSWER = Document(
    entities=("lethe__context_memories", "lethe__contexts"), records=saved_records
)

LETHE = Source(
    name="lethe",
    entities=(*DATABASE.entities, *SAVED_ANSWER.entities),
    roots=roots,
    recognise=recognise,
    feed=Feed(schemes=("http", "https"), addresses=addresses, fetch=fetch),
)
