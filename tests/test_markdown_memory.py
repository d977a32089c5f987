"""Markdown memory files: which are taken, what they say, what a later state took back."""

import json
from pathlib import Path

import pytest
from captures import markdown_memory as said
from landing_home import land_into, payloads, query, write

CLAUDE_FILES = "claude_code__memory_files"
OPENCLAW_FILES = "openclaw__memory_files"


def events(home: Path, source: str, container: str) -> list[tuple[str, str | None]]:
    """What a file's first state says, in its order, and what it stands under."""
    return query(
        home,
        f"""
        select statement, concat_ws(' > ', headings, announcement)
        from staging.stg_{source}__memory_statements as statements
        where container = '{container}' and origin_modified_at = (
            select min(origin_modified_at) from staging.stg_{source}__memory_statements
            where container = '{container}'
        )
        order by block_number
        """,
    )


def changes(home: Path, source: str, container: str) -> list[tuple[str, str, str | None]]:
    """Kind, old and new statement of the changes in a file, in the order of time."""
    return query(
        home,
        f"""
        with said as (
            select native_id, min(statement) as statement
            from staging.stg_{source}__memory_statements group by native_id
        )
        select changes.kind, old.statement, new.statement
        from staging.stg_{source}__changes as changes
        inner join said as old on changes.target_native_id = old.native_id
        left join said as new on changes.replacement_native_id = new.native_id
        where changes.reason like '%{container}'
        order by changes.occurred_at, changes.kind, old.statement
        """,
    )


@pytest.mark.parametrize(
    ("path", "entity", "container"),
    [
        ("u/work/shop/CLAUDE.md", CLAUDE_FILES, "work/shop/CLAUDE.md"),
        ("u/work/shop/CLAUDE.local.md", CLAUDE_FILES, "work/shop/CLAUDE.local.md"),
        ("u/work/shop/.claude/CLAUDE.md", CLAUDE_FILES, "work/shop/.claude/CLAUDE.md"),
        ("u/w/shop/.claude/rules/a/b.md", CLAUDE_FILES, "w/shop/.claude/rules/a/b.md"),
        ("u/.claude/projects/-w-shop/memory/a.md", CLAUDE_FILES, "projects/-w-shop/memory/a.md"),
        ("u/projects/C--w-shop/memory/x/a.md", CLAUDE_FILES, "projects/C--w-shop/memory/x/a.md"),
        ("u/.openclaw/workspace/MEMORY.md", OPENCLAW_FILES, ".openclaw/workspace/MEMORY.md"),
        ("u/s/workspace-b/memory/x/a.md", OPENCLAW_FILES, "s/workspace-b/memory/x/a.md"),
    ],
)
def test_a_memory_file_is_known_by_its_place(
    home: Path, folder: Path, path: str, entity: str, container: str
) -> None:
    write(folder / path, "- The lamp is green")
    report = land_into(home, folder)
    assert (report.skipped, report.new_records) == ((), 1)
    rows = query(home, f"select container, payload from raw.{entity}")
    assert rows == [(container, rows[0][1])]
    assert json.loads(rows[0][1]) == {"path": container, "text": "- The lamp is green\n"}


@pytest.mark.parametrize(
    "path",
    [
        "work/shop/README.md",
        "work/shop/AGENTS.md",
        "work/shop/MEMORY.md",
        "work/shop/memory/a.md",
        "projects/shop/memory/a.md",
        "projects/-shop/notes/a.md",
        ".openclaw/workspace/README.md",
        ".openclaw/workspace/memory/README.md",
        ".openclaw/workspace/memory/state.json",
        ".openclaw/workspace/SOUL.md",
        ".claude/commands/deploy.md",
    ],
)
def test_other_markdown_is_no_memory(home: Path, folder: Path, path: str) -> None:
    write(folder / path, "- The lamp is green")
    report = land_into(home, folder)
    assert report.skipped == ((str(folder / path), "no source recognises it"),)


def test_a_folder_with_an_agents_boot_file_is_a_workspace(home: Path, folder: Path) -> None:
    write(folder / "brain/SOUL.md", "You are kind.")
    write(folder / "brain/memory/2026-02-13.md", "- The lamp is green")
    write(folder / "brain/MEMORY.md", "- The lamp is old")
    assert land_into(home, folder).new_records == 2


def test_the_usual_places_of_memories_are_searched(home: Path, tmp_path: Path) -> None:
    user, work = tmp_path / "user", tmp_path / "work"
    write(user / ".claude/CLAUDE.md", "- one")
    write(user / ".claude/rules/a.md", "- two")
    write(user / ".claude/history.jsonl", '{"display":"hi","timestamp":1,"project":"/p"}')
    write(work / "CLAUDE.local.md", "- three")
    write(work / ".claude/rules/b.md", "- four")
    write(work / "deep/CLAUDE.md", "- five")
    write(work / "deep/notes.md", "- not asked for")
    write(user / ".openclaw/workspace-b/memory/x.md", "- six")
    write(user / ".openclaw/workspace/node_modules/memory/x.md", "- not asked for")
    settings = {"agents": {"defaults": {"workspace": str(tmp_path / "brain")}, "list": [7, {}]}}
    write(user / ".openclaw/openclaw.json", json.dumps(settings))
    write(tmp_path / "brain/IDENTITY.md", "- not asked for")
    write(tmp_path / "brain/MEMORY.md", "- seven")
    land_into(home, environ={"HOME": str(user)}, cwd=work / "deep")
    texts = [
        json.loads(payload)["text"].strip()
        for entity in (CLAUDE_FILES, OPENCLAW_FILES)
        for payload in payloads(home, entity)
    ]
    words = ("one", "two", "three", "four", "five", "six", "seven")
    assert sorted(texts) == sorted(f"- {word}" for word in words)
    assert len(payloads(home, "claude_code__history")) == 1


@pytest.mark.parametrize("settings", ["// no JSON", '{"agents": []}', "[" * 9999, '{"agents": {}}'])
def test_odd_settings_name_no_workspace(home: Path, tmp_path: Path, settings: str) -> None:
    write(tmp_path / "user/.openclaw/openclaw.json", settings)
    report = land_into(home, environ={"HOME": str(tmp_path / "user")}, cwd=tmp_path / "user")
    assert (report.records, report.failed) == (0, ())


def test_a_memory_lands_once_wherever_it_is_copied_and_anew_when_edited(
    home: Path, folder: Path
) -> None:
    first = write(folder / "a/work/shop/CLAUDE.md", "- The lamp is green")
    assert land_into(home, folder).new_records == 1
    assert land_into(home, folder).new_records == 0
    write(folder / "b/work/shop/CLAUDE.md", "- The lamp is green")
    assert land_into(home, folder).new_records == 0
    write(first, "- The lamp is blue")
    assert land_into(home, folder).new_records == 1


def test_broken_bytes_are_refused_and_an_empty_memory_is_none(home: Path, folder: Path) -> None:
    (folder / "work").mkdir(parents=True)
    (folder / "work/CLAUDE.md").write_bytes(b"- caf\xe9")
    (folder / "work/CLAUDE.local.md").write_bytes(b"")
    report = land_into(home, folder)
    assert report.new_records == 0
    assert query(home, "select reason from raw.rejects") == [("invalid UTF-8",)]


def test_a_file_is_split_into_statements_under_their_headings(built_sources: Path) -> None:
    top, rules = "Shop service", "Shop service > Rules"
    release = "How a release is made, with everybody told about it first:"
    assert events(built_sources, "claude_code", "work/shop/CLAUDE.md") == [
        ("The shop listens on port 7443.\nIt keeps its orders in Postgres.", top),
        (
            "Run the tests like this:\n\n```bash\n# not a heading\nmake test\n\nmake lint\n```",
            f"{top} > Commands",
        ),
        ("Never push to main\n  - not even for a hotfix", f"{rules} > **Always:**"),
        ("[ ] Ask before a migration", f"{rules} > **Always:**"),
        (
            "Prices are in cents\n\n  Rounding happens once, at the end.",
            f"{rules} > **Always:**",
        ),
        (release, rules),
        ("Build the image", f"{rules} > {release}"),
        ("Deploy it", f"{rules} > {release}"),
        ("| field | type |\n|---|---|\n| price | integer |", f"{rules} > Fields"),
        ("Never push to main", f"{rules} > Fields"),
    ]


def test_a_memory_is_a_fact_of_its_project(built_sources: Path) -> None:
    rows = query(
        built_sources,
        """
        select content, role, event_kind, cwd like '/%/first/work/shop', git_branch, occurred_at,
            metadata ->> 'front_matter'
        from staging.stg_claude_code__memory_events
        where content like 'Tests use%' or content like 'The shop listens on port 7443%'
        order by content
        """,
    )
    shop = "The shop listens on port 7443.\nIt keeps its orders in Postgres."
    front = "name: shop\ndescription: how we work here\n"
    assert rows == [
        ("Tests use example data only", None, "memory", True, None, None, None),
        (shop, None, "memory", True, None, None, front),
    ]
    facts = query(
        built_sources,
        "select project_key, fact_type, capture_count from marts.facts"
        " where text = 'The cashier is called Till'",
    )
    assert facts == [("work/shop", "memory", 2)]


def test_an_unchanged_statement_is_one_event_through_every_state(built_sources: Path) -> None:
    rows = query(
        built_sources,
        """
        select content, sighting_count from intermediate.int_events_unioned
        where source_entity = 'memory_files' and content in (
            'Never push to main', 'Deploy it', 'The rope hangs in the shed'
        ) order by all
        """,
    )
    assert rows == [
        ("Deploy it", 2),
        ("Never push to main", 1),
        ("Never push to main", 3),
        ("The rope hangs in the shed", 3),
    ]


def test_what_a_later_state_took_back_is_retired_or_superseded(built_sources: Path) -> None:
    postgres = "\nIt keeps its orders in Postgres."
    assert changes(built_sources, "claude_code", "work/shop/CLAUDE.md") == [
        ("retire", "[ ] Ask before a migration", None),
        (
            "supersede",
            f"The shop listens on port 7443.{postgres}",
            f"The shop listens on port 7555.{postgres}",
        ),
        ("retire", "Build the image", None),
        ("retire", "Deploy it", None),
    ]


def test_a_moved_note_is_the_same_memory_and_its_edit_a_new_version(built_sources: Path) -> None:
    """BR39: moved unchanged, then edited where it is now."""
    assert changes(built_sources, "openclaw", "rope.md") == [
        ("supersede", "The rope is 40 m long", "The rope is 35 m long")
    ]


def test_what_went_to_another_note_is_not_taken_back(built_sources: Path) -> None:
    assert changes(built_sources, "openclaw", "plans.md") == []


def test_a_notes_name_says_when_and_its_workspace_whose(built_sources: Path) -> None:
    rows = query(
        built_sources,
        """
        select text, namespace, t_valid::varchar, context_description from marts.facts
        where text in ('The lamp was repaired', 'The build takes nine minutes', '**Colour:** green')
        order by text
        """,
    )
    assert rows == [
        ("**Colour:** green", "default", None, "Lamp"),
        ("The build takes nine minutes", "default:agent:build", "2026-02-13 00:00:00", None),
        ("The lamp was repaired", "default", "2026-02-14 00:00:00", None),
    ]


def test_a_copied_conversation_is_turns_of_its_session(built_sources: Path) -> None:
    rows = query(
        built_sources,
        f"""
        select role, event_kind, content, metadata ->> 'copy_kind'
        from intermediate.int_events_unioned
        where session_id = '{said.EXCERPT}' and source_entity = 'memory_files' order by content
        """,
    )
    copy = "session excerpt"
    assert rows == [
        ("user", "turn", "First wish: a bigger desk", copy),
        ("user", "prompt", "Read HEARTBEAT.md if it exists (workspace context).", copy),
        ("user", "turn", "Second wish: a smaller wall", copy),
        (
            "assistant",
            "turn",
            "They are in the harbour office.\n\n## Two places\n- the desk\n- the wall",
            copy,
        ),
        ("user", "turn", "Where are the tide tables?", copy),
    ]
    labels = query(
        built_sources,
        "select distinct rule_id from marts.rejections where text like '**Session %'",
    )
    assert labels == [("machine_text",)]
