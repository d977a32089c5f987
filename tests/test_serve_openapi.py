"""The OpenAPI document, fuzzed against a server that runs: what it says is what happens."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from garden import publish_garden
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from serving import Server, audit, new_key, running_server

EXAMPLES = 40
REFUSALS = [400, 401, 403, 404, 405, 409, 413, 422]
STRICT = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}}
)
ROUTES = [
    ("GET", "/api/memory/{project}/context"),
    ("POST", "/api/memory/{project}/context"),
    ("GET", "/api/memory/manifests"),
    ("POST", "/api/memory/manifests"),
    ("GET", "/api/memory/manifests/{manifest_id}"),
]


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server, str]]:
    """A home, its server, and a key that may do everything."""
    home = tmp_path_factory.mktemp("fuzz") / "home"
    publish_garden(home)
    granted = "memory.read,memory.commit"
    key = new_key(home, "keeper", "--grant", f"garden={granted}", "--grant", "*=memory.read")
    with running_server(home) as server:
        yield home, server, key


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_answer_is_as_documented(
    keeper: tuple[Path, Server, str], method: str, path: str, mode: GenerationMode
) -> None:
    _, server, key = keeper
    document = schemathesis.openapi.from_url(f"{server.address}/openapi.json", config=STRICT)
    # A project that is there, and any other.
    known = {"project": "garden"} if "{project}" in path else None
    sent = {"Authorization": f"Bearer {key}"}
    asked = [
        document[path][method].as_strategy(mode, path_parameters=place, headers=sent)
        for place in (known, None)
    ]

    @given(case=st.one_of(asked))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(timeout=30)

    ask()


def test_the_document_tells_every_route(keeper: tuple[Path, Server, str]) -> None:
    paths = keeper[1].ask("/openapi.json").json["paths"]
    told = {(method.upper(), path) for path in paths for method in paths[path]}
    assert told == {*ROUTES, ("GET", "/health")}


def test_the_fuzz_was_noted_and_nothing_failed(keeper: tuple[Path, Server, str]) -> None:
    home, server, key = keeper
    assert server.context("garden", key).status == 200
    statuses = [call["status"] for call in audit(home)]
    assert {200, 404, 422} <= set(statuses)
    assert max(statuses) < 500
    assert "Traceback" not in server.errors.read_text()
