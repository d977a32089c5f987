"""Letta: agent files of both schemas, what their messages and memory blocks become."""

import json
from pathlib import Path

import pytest
from captures.letta import BEGAN, old_agent, write
from landing_home import land_into, query

from tamis.sources.letta import AGENT_FILE, recognise


@pytest.mark.parametrize(
    ("name", "head", "answer"),
    [
        ("a.af", '{"agent_type": "memgpt_agent"', AGENT_FILE),
        ("a.af", '{"agents": [', AGENT_FILE),
        ("a.json", '{"agent_type": "memgpt_agent"', None),
        ("a.af", '{"other": 1}', None),
        ("a.af", "\x00\x01", None),
    ],
)
def test_files_are_known_by_suffix_and_words(name: str, head: str, answer: object) -> None:
    assert recognise(Path("x") / name, head.encode()) is answer


def test_two_exports_of_an_agent_are_one_agent(home: Path, folder: Path) -> None:
    write(folder)
    report = land_into(home, folder)
    counts = {count.source_entity: count.new_records for count in report.entities}
    # The second export has other message ids and the same block and file.
    assert counts == {"letta__messages": 8 + 6 + 6, "letta__blocks": 4 + 1, "letta__files": 1}
    assert land_into(home, folder).new_records == 0
    containers = query(home, "select distinct container from raw.letta__messages order by all")
    assert containers == [
        (f"harbour-clerk/{BEGAN}",),
        ("lighthouse/2026-05-04T09:00:00.000001+00:00",),
    ]


def test_a_moved_file_lands_nothing_and_an_edited_block_lands_once(
    home: Path, folder: Path
) -> None:
    (folder / "one").mkdir(parents=True)
    agent = old_agent()
    (folder / "one/clerk.af").write_text(json.dumps(agent), encoding="utf-8")
    land_into(home, folder)
    (folder / "one").rename(folder / "two")
    assert land_into(home, folder).new_records == 0
    agent["core_memory"][0]["value"] += "\n\nThe gate closes at ten"
    (folder / "two/clerk.af").write_text(json.dumps(agent), encoding="utf-8")
    assert land_into(home, folder).new_records == 1


@pytest.mark.parametrize("text", ['{"agents": [', '{"agents": 1}', '["agents"]'])
def test_a_broken_file_is_refused_whole(home: Path, folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "x.af").write_text(text, encoding="utf-8")
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (0, 1)


def test_an_agent_of_both_schemas_says_what_it_said(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select agent_id, event_kind, role, content, count(distinct event_id)::int"
        " from staging.stg_letta__events where source_entity = 'messages'"
        " and event_kind = 'turn' group by all order by all",
    )
    assert rows == [
        ("harbour-clerk", "turn", "assistant", "Berth 7 has the crane.", 1),
        ("harbour-clerk", "turn", "assistant", "More human than human is our motto.", 1),
        ("harbour-clerk", "turn", "user", "Which berth has a crane?", 1),
        ("lighthouse", "turn", "assistant", "The lamp is off from dawn to dusk.", 1),
        ("lighthouse", "turn", "user", "Is the lamp of the lighthouse on at noon?", 1),
        ("lighthouse", "turn", "user", "The meter is broken", 1),
    ]


def test_what_else_a_message_holds_is_named(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select agent_id, event_kind, role, count(distinct event_id)::int"
        " from staging.stg_letta__events where source_entity = 'messages'"
        " and event_kind <> 'turn' group by all order by all",
    )
    assert rows == [
        ("harbour-clerk", "system", "reasoning", 3),
        ("harbour-clerk", "system", "system", 1),
        ("harbour-clerk", "system", "user", 2),
        ("harbour-clerk", "tool_call", "assistant", 1),
        ("harbour-clerk", "tool_result", "tool", 1),
        ("lighthouse", "system", "reasoning", 1),
        ("lighthouse", "system", "system", 1),
        ("lighthouse", "tool_call", "assistant", 1),
        ("lighthouse", "tool_result", "tool", 1),
    ]


def test_a_block_is_a_memory_a_paragraph(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select event_kind, metadata->>'block_label', content, occurred_at::varchar"
        " from staging.stg_letta__events where source_entity = 'blocks' order by all",
    )
    changed = "2026-05-04 09:30:00"
    assert rows == [
        ("memory", "human", "Berths are assigned by tide\nThe clerk works at night", changed),
        ("memory", "human", "Cranes rest on Sundays", changed),
        ("memory", "human", "The keeper lives on the second floor", None),
        ("memory", "plan", "[CURRENTLY EMPTY: write the plan here]", None),
        ("prompt", "persona", "I am the clerk of the harbour.", None),
    ]


def test_the_server_s_own_words_are_no_facts(built_sources: Path) -> None:
    rows = query(
        built_sources,
        "select namespace, count(*)::int from marts.facts where source_system = 'letta'"
        " group by all order by all",
    )
    assert rows == [
        ("default:agent:harbour-clerk", 4),
        ("default:agent:lighthouse", 4),
    ]
    assert query(
        built_sources,
        "select count(*)::int from marts.rejections"
        " where source_system = 'letta' and rule_id in ('letta_boot_message', 'letta_empty_block')",
    ) == [(2,)]


def test_real_agents_land_without_a_refusal(home: Path, shared: Path) -> None:
    report = land_into(home, shared / "real/letta_af")
    assert (report.files, report.rejects, report.skipped, report.failed) == (16, 0, (), ())


def test_numbers_that_json_can_not_write_become_texts(home: Path, folder: Path) -> None:
    folder.mkdir()
    score = '{"role": "user", "score": [NaN, -Infinity, 1e999, 1.5], "content": "all of it lands"}'
    text = f'{{"agents": [{{"messages": [{score}], "block_ids": 3}}], "blocks": [{{"id": 3}}]}}'
    (folder / "x.af").write_text(text, encoding="utf-8")
    report = land_into(home, folder)
    assert (report.new_records, report.rejects) == (1, 0)
    payload = "payload -> '$.message.score'"
    assert query(home, f"select {payload} from raw.letta__messages") == [
        ('["NaN","-Infinity","1e999",1.5]',)
    ]
