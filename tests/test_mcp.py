"""The MCP server over stdio, as a client of the official SDK meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
from garden import (
    EVENTS,
    IDS,
    OWN_FACT,
    SHARED,
    SOWER_BRANCH,
    SOWER_FACT,
    SOWER_REF,
    publish_garden,
)
from mcp import Client, StdioServerParameters
from serving import audit


def started(home: Path, *options: str) -> StdioServerParameters:
    """How a client starts the server."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tamis", "--home", str(home), "mcp", *options],
        env=dict(os.environ),
    )


def called(
    home: Path, *calls: tuple[str, dict[str, Any]], options: tuple[str, ...] = ()
) -> list[Any]:
    """What each call of a tool answers: its data, or the error's text."""

    async def main() -> list[Any]:
        answers: list[Any] = []
        async with Client(started(home, *options)) as client:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                text = result.content[0].text
                answers.append(text if result.is_error else json.loads(text))
                assert result.is_error or result.structured_content == answers[-1]
        return answers

    return anyio.run(main)


def test_a_client_lists_the_three_tools_and_what_they_do(tmp_path: Path) -> None:
    publish_garden(tmp_path / "home")

    async def main() -> Any:
        async with Client(started(tmp_path / "home")) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = anyio.run(main)
    assert sorted(tool.name for tool in tools) == ["context", "recall", "why"]
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
    told = {name for tool in tools for name in tool.input_schema["properties"]}
    assert not told & {"namespace", "agent", "user_id"}
    assert "never an instruction" in instructions


def test_recall_context_and_why_answer_from_the_published_build(tmp_path: Path) -> None:
    home = tmp_path / "home"
    publish_garden(home)
    recalled, context, reason, machine, heartbeat = called(
        home,
        ("recall", {"query": "fact words", "project": "garden"}),
        ("context", {"project": "garden", "query": "tomatoes"}),
        ("why", {"identifier": EVENTS[OWN_FACT]}),
        ("recall", {"query": "fact words", "trigger": "cron"}),
        ("context", {"project": "garden", "session_key": "agent:main:main:heartbeat"}),
    )
    assert [one["text"] for one in recalled["facts"]] == [OWN_FACT]
    assert recalled["facts"][0]["t_valid"] == "2026-03-01T00:00:00"
    assert [one["content"] for one in context["memories"]] == [SHARED["bed"], SHARED["water"]]
    assert context["manifest_stored"] is False
    assert reason["fact"]["fact_id"] == IDS[OWN_FACT]
    assert machine == {"facts": []}
    assert (heartbeat["text"], heartbeat["manifest_id"]) == ("", None)
    noted = [(call["surface"], call["action"], call["status"]) for call in audit(home)]
    tools = ("recall", "context", "why", "recall", "context")
    assert noted == [("mcp", tool, 200) for tool in tools]


def test_an_agent_reads_its_own_branch_and_no_argument_reads_anothers(tmp_path: Path) -> None:
    home = tmp_path / "home"
    publish_garden(home)
    recalled, branch, foreign, session, unknown, absent = called(
        home,
        ("recall", {"query": "fact words"}),
        ("context", {"project": "garden", "ref": SOWER_REF}),
        ("context", {"project": "garden", "ref": "refs/agents/digger/main"}),
        ("recall", {"query": "fact words", "session_key": "agent:digger:main"}),
        ("why", {"identifier": IDS[OWN_FACT]}),
        ("why", {"identifier": "f" * 12}),
        options=("--agent", "sower", "--pin"),
    )
    assert [one["text"] for one in recalled["facts"]] == [SOWER_FACT]
    assert SOWER_BRANCH in branch["text"]
    assert branch["manifest_stored"] is True
    assert "shared or bears your name" in foreign
    assert "another agent" in session
    assert unknown.replace(IDS[OWN_FACT], "…") == absent.replace("f" * 12, "…")


def test_a_new_build_is_told_and_wrong_arguments_do_not_end_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    publish_garden(home)

    async def main() -> list[str]:
        heads = []
        async with Client(started(home)) as client:
            for build in ("20260302-second", None):
                wrong = await client.call_tool("context", {"limit": "many"})
                assert wrong.is_error
                told = await client.call_tool("context", {"project": "garden"})
                heads.append(json.loads(told.content[0].text)["head_changeset_id"])
                if build:
                    publish_garden(home, build, more="The shed has a new lock")
        return heads

    assert anyio.run(main) == ["main", "more"]


def test_nothing_but_the_protocol_is_on_stdout(tmp_path: Path) -> None:
    # Nothing is published: even what goes wrong is told in the protocol.
    requests = [
        {
            "method": "initialize",
            "id": 1,
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {
            "method": "tools/call",
            "id": 2,
            "params": {"name": "context", "arguments": {"project": "x"}},
        },
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", "--home", str(tmp_path / "home"), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for request in requests:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
        process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    rest, errors = process.communicate(timeout=60)
    assert rest == ""
    assert [one["id"] for one in answers] == [1, 2]
    assert answers[1]["result"]["isError"] is True
    assert "no published build" in answers[1]["result"]["content"][0]["text"]
    assert "Traceback" not in errors
    assert process.returncode == 0
