"""Memory files of Claude Code and OpenClaw, some at several states, some moved or copied."""

import os
from pathlib import Path

from captures.claude_code import line, save

FIRST, SECOND, THIRD = 1_780_000_000, 1_780_100_000, 1_780_200_000
SLUG = "-home-u-work-shop"
SESSION = "c0de0060-0000-4000-8000-000000000060"
EXCERPT = "0c1a0060-0000-4000-8000-000000000060"

SHOP = """\
---
name: shop
description: how we work here
---
# Shop service

<!-- for editors only
- not a memory -->

The shop listens on port 7443.
It keeps its orders in Postgres.

## Commands ##

Run the tests like this:

```bash
# not a heading
make test

make lint
```

## Rules

**Always:**

- Never push to main
  - not even for a hotfix
- [ ] Ask before a migration
-
* Prices are in cents

  Rounding happens once, at the end.

How a release is made, with everybody told about it first:
1. Build the image
2) Deploy it

### Fields

| field | type |
|---|---|
| price | integer |

---
- Never push to main
"""

# One line rewritten, one gone, one new; a heading renamed above unchanged statements.
SHOP_EDITED = (
    SHOP.replace("port 7443", "port 7555")
    .replace("- [ ] Ask before a migration\n", "")
    .replace("### Fields", "### Columns")
    .replace("2) Deploy it", "2) Deploy it\n3) Tell everybody")
)
# Two went where one came: nobody can say which of them it replaces.
SHOP_AGAIN = SHOP_EDITED.replace(
    "1. Build the image\n2) Deploy it\n", "1. Let the pipeline build and deploy\n"
)

EXCERPT_FILE = f"""\
# Session: 2026-02-13 04:25:37 UTC

- **Session Key**: agent:main:main
- **Session ID**: {EXCERPT}
- **Source**: telegram

## Conversation Summary

user: Where are the tide tables?
assistant: They are in the harbour office.

## Two places
- the desk
- the wall
user: Read HEARTBEAT.md if it exists (workspace context).
user: [Queued messages while agent was busy]

---
Queued #1
First wish: a bigger desk
---
Queued #2
Second wish: a smaller wall
"""


def put(path: Path, text: str, modified: int = FIRST) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (modified, modified))


def write(folder: Path) -> None:
    """A file of each kind, as below a home and the folders that it was copied from."""
    put(folder / "first/work/shop/CLAUDE.md", SHOP)
    put(folder / "second/work/shop/CLAUDE.md", SHOP_EDITED.replace("\n", "\r\n"), SECOND)
    put(folder / "third/work/shop/CLAUDE.md", SHOP_AGAIN, THIRD)
    put(folder / "first/work/shop/README.md", "# Shop\n\nNo memory of anyone.\n")
    put(folder / "first/work/till/CLAUDE.md", "- Never push to main\n")
    put(folder / "first/work/shop/.claude/rules/tests.md", "- Tests use example data only\n")
    write_notes(folder / "home/.claude/projects" / SLUG)
    write_workspaces(folder / "state/.openclaw")


def write_notes(project: Path) -> None:
    """A project's own notes, and a session that says which folder the slug stands for."""
    save(project / f"{SESSION}.jsonl", [line(SESSION, 0, "Hm", cwd="/home/u/work/shop")])
    put(project / "memory/MEMORY.md", "- The cashier is called Till\n")
    put(project / "memory/till.md", "- The cashier is called Till\n- Till closes at six\n")


def write_workspaces(state: Path) -> None:
    """Two agents' notes; one of them moved, then edited; a copy of a conversation."""
    put(state / "workspace/MEMORY.md", "## Lamp\n\n**Colour:** green\n")
    put(state / "workspace/memory/2026-02-13-0425.md", EXCERPT_FILE)
    put(state / "workspace/memory/2026-02-14.md", "- The lamp was repaired\n")
    note = "# Rope\n\n- The rope is 40 m long\n- The rope hangs in the shed\n"
    put(state / "workspace/memory/notes/rope.md", note)
    put(state / "workspace/memory/archive/rope.md", note, SECOND)
    edited = note.replace("40 m", "35 m")
    put(state.parent / "later/.openclaw/workspace/memory/archive/rope.md", edited, THIRD)
    put(state / "workspace-build/memory/2026-02-13.md", "- The build takes nine minutes\n")
    # What left one note and stands in another is still remembered.
    put(state / "workspace/memory/plans.md", "- Paint the shed\n- Mend the roof\n")
    later = state.parent / "later/.openclaw/workspace/memory"
    put(later / "plans.md", "- Mend the roof\n", SECOND)
    put(later / "done.md", "- Paint the shed\n", SECOND)
