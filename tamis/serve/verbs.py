"""The verbs that serve agents, and those that say who may ask."""

import click

from tamis.command import Context, main, now, settings_of, verb
from tamis.errors import USAGE, TamisError


@verb("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=7440,
    show_default=True,
    help="0 takes a free one.",
)
@click.option("--allow-remote", "allows_remote", is_flag=True, help="Let other machines ask.")
def serve_agents(context: Context, host: str, port: int, allows_remote: bool) -> None:
    """Answer agents over HTTP from the published build, until a signal ends it."""
    from tamis.serve import require_extra

    require_extra()
    from tamis.serve.server import serve

    serve(
        context.home,
        settings_of(context),
        host,
        port,
        allows_remote=allows_remote,
        clock=now,
        tell=context.note,
    )


@verb("mcp")
@click.option("--agent", help="Whose memory is told [the user's own].")
@click.option("--pin", "pins", is_flag=True, help="Store the manifest of every context.")
def mcp(context: Context, agent: str | None, pins: bool) -> None:
    """Answer one agent over MCP on stdin and stdout: recall, context and why."""
    from tamis.serve import require_extra
    from tamis.serve.principals import checked_agent

    require_extra()
    from tamis.serve.tools import asker, run_over_stdio

    principal = asker(checked_agent(agent), pins=pins)
    run_over_stdio(context.home, settings_of(context), principal, now)


@main.group("keys")
def keys() -> None:
    """Say who may ask `tamis serve`, and for what."""


@verb("add", keys)
@click.argument("name")
@click.option("--agent", help="The named agent that holds it [the user].")
@click.option(
    "--grant",
    "grants",
    multiple=True,
    required=True,
    metavar="PROJECT=PERMISSION,…",
    help="memory.read, memory.commit or memory.write in a project, or in every one (*).",
)
def add_key(context: Context, name: str, agent: str | None, grants: tuple[str, ...]) -> None:
    """Make a key and print it, once: it is kept nowhere."""
    from tamis.serve.journal import add_principal
    from tamis.serve.principals import checked_agent, grants_of

    if context.quiet and not context.as_json:
        raise TamisError("a key is printed once, and --quiet prints nothing", USAGE)
    key = add_principal(context.home, name, checked_agent(agent), grants_of(grants), now())
    context.say(key)
    context.answer("keys add", {"name": name, "key": key})


@verb("revoke", keys)
@click.argument("name")
def revoke_key(context: Context, name: str) -> None:
    """Make a key worthless, at once."""
    from tamis.serve.journal import revoke_principal

    revoke_principal(context.home, name, now())
    context.say(f"{name} holds no key any more")
    context.answer("keys revoke", {"name": name})


@verb("list", keys)
def list_keys(context: Context) -> None:
    """Show who holds a key, and what was granted to them."""
    from tamis.render import keys_text
    from tamis.serve.journal import principals

    found = principals(context.home)
    context.say(keys_text(found))
    context.answer("keys list", {"keys": found})


@verb("audit", keys)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
def show_audit(context: Context, limit: int) -> None:
    """Show the last calls, the newest first."""
    from tamis.render import audit_text
    from tamis.serve.journal import audit

    found = audit(context.home, limit)
    context.say(audit_text(found))
    context.answer("keys audit", {"calls": found})
