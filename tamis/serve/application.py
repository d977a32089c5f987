"""The HTTP API: Lethe's, for a principal with a key."""

from collections.abc import Callable
from datetime import datetime
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException

from tamis.memory_git.records import SHARED_MAIN
from tamis.publish import current_build_id
from tamis.render import plain_json
from tamis.serve import shapes
from tamis.serve.contexts import MOST_MANIFESTS, Asking, Contexts, manifest_in
from tamis.serve.guard import Guard, Limits
from tamis.serve.journal import Call, Journal
from tamis.serve.policy import NOTHING_PINNED, Refusal
from tamis.serve.principals import Principal
from tamis.serve.warnings import Warnings

SUMMARY = "Accepted memory of a project at one head, for agents. The published build is read only."
REFUSED = {
    400: "The request is no HTTP that can be read.",
    401: "The key is missing or wrong.",
    403: "The key was not granted that, or the ref or session is another's.",
    404: "Unknown, or not granted: the two look the same.",
    408: "The body did not come in time.",
    409: "The head is not in the ref's history, or that history can't be used.",
    413: "The body is too long.",
    422: "A part of the request is wrong.",
    503: "Nothing is published, the answer took too long, or it could not be noted.",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": shapes.Problem, "description": description}
    for status, description in REFUSED.items()
}
Project = Annotated[
    str,
    Path(min_length=1, max_length=300, description="The project, as it was granted."),
]


class Told(JSONResponse):
    """An answer as it is: characters are not escaped, and equal answers are equal bytes."""

    def render(self, content: Any) -> bytes:
        """The answer as JSON."""
        return plain_json(content).encode("utf-8")


def application(
    contexts: Contexts,
    journal: Journal,
    clock: Callable[[], datetime],
    tell: Callable[[str], None],
    limits: Limits | None = None,
) -> Guard:
    """The API of a home, guarded.

    Args:
        contexts: what is shown.
        journal: who may see it, and the audit.
        clock: tells the time, naive UTC.
        tell: takes warnings, one line each.
        limits: what one request may take.
    """
    app = FastAPI(
        title="tamis",
        description=SUMMARY,
        version=version("tamis"),
        docs_url=None,
        redoc_url=None,
        default_response_class=Told,
        redirect_slashes=False,
    )
    add_health(app, contexts)
    add_contexts(app, contexts)
    add_manifests(app, contexts)
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, unrouted)
    return Guard(app, journal, clock, Warnings(tell, clock), limits)


def add_health(app: FastAPI, contexts: Contexts) -> None:
    """The route that needs no key."""

    @app.get(
        "/health",
        response_model=shapes.Health,
        responses={503: {"model": shapes.Health, "description": "Nothing is published."}},
    )
    def health() -> Told:
        """Whether there is a build to read."""
        is_published = current_build_id(contexts.home) is not None
        status = "ok" if is_published else "nothing published"
        return Told({"status": status}, 200 if is_published else 503)


def add_contexts(app: FastAPI, contexts: Contexts) -> None:
    """The routes of contexts."""
    path = "/api/memory/{project:path}/context"

    @app.get(path, **described(shapes.ContextTold, "context"))
    def read_context(
        request: Request,
        project: Project,
        ref: shapes.Ref = SHARED_MAIN,
        head: shapes.Head = "",
        query: shapes.Query = "",
        limit: shapes.Limit = 0,
        budget: shapes.Budget = 0,
        session_id: shapes.Session = "",
        trigger: shapes.Trigger = "",
    ) -> Told:
        """The accepted memory of a project; nothing is stored."""
        principal, call = asker(request)
        asking = Asking(project, ref, head, query, limit, budget, session_id, trigger)
        return Told(contexts.memory_context_at(principal, asking, call))

    @app.post(path, **described(shapes.ContextTold, "context"))
    def pin_context(request: Request, project: Project, body: shapes.ContextAsked) -> Told:
        """The same, with its manifest stored where `create_manifest` asks for it."""
        principal, call = asker(request)
        asking = asking_of(project, body, pins=body.create_manifest)
        return Told(contexts.memory_context_at(principal, asking, call))


def add_manifests(app: FastAPI, contexts: Contexts) -> None:
    """The routes of manifests."""

    @app.get("/api/memory/manifests", **described(shapes.ManifestsTold, "manifests"))
    def list_manifests(
        request: Request,
        project: Annotated[str, Query(min_length=1, max_length=300)],
        limit: Annotated[int, Query(ge=1, le=MOST_MANIFESTS)] = 20,
        before: Annotated[str | None, Query(max_length=300)] = None,
    ) -> Told:
        """The manifests of a project, the newest first."""
        principal, call = asker(request)
        found = contexts.manifests(principal, project, call, limit=limit, before=before)
        return Told({"manifests": found})

    @app.post("/api/memory/manifests", **described(shapes.ManifestTold, "manifest", 201))
    def pin_manifest(request: Request, body: shapes.ManifestAsked) -> Told:
        """Pin a context, and tell its manifest only."""
        principal, call = asker(request)
        asking = asking_of(body.project_id, body, pins=True)
        told = contexts.memory_context_at(principal, asking, call, must_pin=True)
        if told["manifest_id"] is None:
            raise Refusal(NOTHING_PINNED)
        return Told(manifest_in(told), 201)

    @app.get("/api/memory/manifests/{manifest_id}", **described(shapes.ManifestTold, "manifest"))
    def read_manifest(
        request: Request, manifest_id: Annotated[str, Path(min_length=1, max_length=300)]
    ) -> Told:
        """One stored manifest."""
        principal, call = asker(request)
        return Told(contexts.manifest(principal, manifest_id, call))


def described(model: Any, what: str, status: int = 200) -> dict[str, Any]:
    """What the document says of a route; its answers are built by hand, so that bytes are equal."""
    return {
        "response_model": None,
        "status_code": status,
        "responses": {status: {"model": model, "description": f"The {what}."}, **PROBLEMS},
        "dependencies": [Depends(HTTPBearer(auto_error=False, description="The key."))],
    }


def asker(request: Request) -> tuple[Principal, Call]:
    """Who the guard found to ask, and the audit's row of the request."""
    return request.state.principal, request.state.call


def asking_of(project: str, body: shapes.Asked, *, pins: bool) -> Asking:
    """What a body asks for."""
    return Asking(
        project,
        body.ref_name,
        body.head_changeset_id,
        body.query,
        body.limit,
        body.budget,
        body.session_id,
        body.trigger,
        pins,
    )


def refused(request: Request, refusal: Exception) -> Told:
    """The answer to what policy refuses."""
    assert isinstance(refusal, Refusal)
    reason = refusal.reason
    return Told({"error": reason.message, "code": reason.code}, reason.status)


def invalid(request: Request, error: Exception) -> Told:
    """The answer to a request of a wrong form: the places, never what stood there."""
    assert isinstance(error, RequestValidationError)
    fields = sorted({".".join(map(str, one["loc"])) for one in error.errors()})
    told = {"error": "the request has a wrong form", "code": "invalid", "fields": fields}
    return Told(told, 422)


def unrouted(request: Request, error: Exception) -> Told:
    """The answer where no route takes the request."""
    assert isinstance(error, HTTPException)
    code = {404: "unknown_route", 405: "wrong_method"}.get(error.status_code, "bad_request")
    told = {"error": "no route takes this request", "code": code}
    return Told(told, error.status_code, dict(error.headers or {}))
