"""What Claude Code writes more than once: answers, sessions, compactions, typed prompts."""

from pathlib import Path
from typing import Any

import pytest
from captures import claude_code as said
from command_line import run_tamis
from landing_home import query
from test_samples import built


@pytest.fixture
def ask(built_sources: Path) -> Any:
    """Ask the built home with the events of one session at hand as `events`."""

    def asked(session: str, sql: str) -> list[tuple[Any, ...]]:
        return query(
            built_sources,
            f"""
            with events as (
                select events.*, places.event_order, places.is_early,
                    verdicts.verdict, verdicts.cover_rule, verdicts.rule_id,
                    verdicts.fact_id, verdicts.capture_id, classified.is_turn
                from intermediate.int_events_unioned as events
                inner join intermediate.int_events_ordered as places using (event_id)
                inner join intermediate.int_events_deduplicated as verdicts using (event_id)
                inner join intermediate.int_events_classified as classified using (event_id)
                where events.session_id = '{session}' and events.source_system = 'claude_code'
            )
            {sql}
            """,
        )

    return asked


def facts(home: Path, pattern: str) -> list[tuple[Any, ...]]:
    """Text, sightings and moment of the facts whose text is like this."""
    return query(
        home,
        "select text, capture_count, t_valid from marts.facts"
        f" where text like '{pattern}' order by t_valid, text",
    )


def test_the_blocks_of_one_answer_are_its_parts_and_none_is_dropped(ask: Any) -> None:
    """BR13: three lines, one message id."""
    rows = ask(
        said.ANSWER,
        "select turn_id, event_kind, role, verdict, rule_id from events order by event_order",
    )
    assert rows == [
        (None, "turn", "user", "first", None),
        ("msg_blocks", "system", "reasoning", "refused", "reasoning_block"),
        ("msg_blocks", "turn", "assistant", "first", None),
        ("msg_blocks", "tool_call", "assistant", "refused", "tool_call"),
    ]


def test_an_answer_that_a_resume_wrote_again_is_one_answer_by_its_last_copy(
    ask: Any, built_sources: Path
) -> None:
    """BR15: one message id four times, four uuids; the question has no message id."""
    rows = ask(
        said.RESUMED,
        "select role, content, verdict, cover_rule from events order by position",
    )
    question = "Where does the lighthouse service listen?"
    whole = "It listens on port 7443 of the lighthouse."
    assert [row for row in rows if row[0] == "user"] == [
        ("user", question, "first", None),
        *[("user", question, "covered", "rewritten")] * 3,
    ]
    assert [row for row in rows if row[0] == "assistant"] == [
        ("assistant", "It", "covered", "same answer"),
        ("assistant", "It listens", "covered", "same answer"),
        ("assistant", "It listens", "covered", "same answer"),
        ("assistant", whole, "first", None),
    ]
    assert [row[:2] for row in facts(built_sources, "It%")] == [(whole, 4)]
    turns = ask(said.RESUMED, "select count(*) from events where is_turn and cover_rule is null")
    assert turns == [(2,)]


def test_a_line_whose_metadata_changed_is_one_event_that_says_which(
    ask: Any, built_sources: Path
) -> None:
    """BR16: one uuid, once identical, once on another branch, once with one more key."""
    rows = ask(
        said.RELABELLED,
        """
        select sighting_count, is_changed, changed_fields, git_branch,
            metadata ->> 'tool_version', metadata ->> 'session_name'
        from events
        """,
    )
    changed = ["git_branch", "session_name", "tool_version"]
    assert rows == [(4, False, changed, "harbour", "2.1.9", "quiet-harbour")]
    noted = query(
        built_sources,
        "select sighting_count, changed_fields from marts.fact_sources"
        f" where session_id = '{said.RELABELLED}'",
    )
    assert noted == [(4, changed)]


def test_what_did_not_change_names_no_field(ask: Any) -> None:
    assert ask(said.ANSWER, "select distinct is_changed, changed_fields from events") == [
        (False, [])
    ]


@pytest.mark.parametrize(
    ("first", "second"), [(said.FOREGROUND, said.BACKGROUND), (said.COPIED, said.COPY)]
)
def test_a_session_that_went_on_in_the_background_is_nine_turns(
    built_sources: Path, first: str, second: str
) -> None:
    """BR18: six turns copied into another session, with their uuids or with fresh ones."""
    sessions = f"session_id in ('{first}', '{second}')"
    turns = query(built_sources, f"select sum(turn_count) from marts.sessions where {sessions}")
    assert turns == [(9,)]
    kept = query(
        built_sources,
        f"select count(distinct fact_id), count(*) from marts.fact_sources where {sessions}",
    )
    assert kept[0][0] == 9
    assert kept[0][1] == (9 if first == said.FOREGROUND else 15)


def test_a_replayed_compaction_adds_no_event(ask: Any) -> None:
    """BR19: 125 rows of which 100 stand in the file twice."""
    rows = ask(
        said.COMPACTED,
        "select event_kind, count(*), sum(sighting_count)::int from events group by 1 order by 1",
    )
    assert rows == [("summary", 1, 1), ("system", 1, 1), ("turn", 125, 225)]
    verdicts = ask(
        said.COMPACTED, "select verdict, rule_id, count(*) from events group by all order by all"
    )
    assert [row for row in verdicts if row[0] != "refused"] == [("first", None, 125)]


def test_a_compactions_copy_is_no_second_fact_and_no_subagents(ask: Any) -> None:
    """Its lines under the parent's uuids are the parent's turns, whichever file is newer."""
    rows = ask(
        said.SUMMARISED,
        """
        select content, event_kind, verdict, rule_id, sighting_count
        from events where content like 'Summarised%' order by event_order, event_id
        """,
    )
    kept = [row[1:] for row in rows if row[2] == "first"]
    assert kept == [("turn", "first", None, 2)] * 4
    others = [row[2:] for row in rows if row[2] != "first"]
    assert others == [("refused", "subagent_session", 1)] * 4


def test_subagents_of_both_layouts_own_no_fact(ask: Any) -> None:
    rows = ask(
        said.SUMMARISED,
        """
        select origin like '%/subagents/%', verdict, rule_id, count(*)
        from events where content like 'Subagent%' group by all order by 1
        """,
    )
    assert rows == [
        (False, "refused", "subagent_session", 2),
        (True, "refused", "subagent_session", 2),
    ]


def test_a_typed_prompt_whose_session_is_there_is_covered_by_it(
    ask: Any, built_sources: Path
) -> None:
    """What was pasted is put back where it stood, so both say the same."""
    rows = ask(
        said.TYPED,
        "select source_entity, event_kind, verdict, cover_rule, rule_id from events"
        " order by source_entity, position",
    )
    assert rows == [
        ("entries", "turn", "first", None, None),
        ("history", "turn", "covered", "prompt history", None),
        ("history", "prompt", "refused", None, "slash_command"),
    ]
    turns = query(
        built_sources, f"select turn_count from marts.sessions where session_id = '{said.TYPED}'"
    )
    assert turns == [(1,)]


def test_a_typed_prompt_whose_session_is_gone_is_a_persons_words(
    ask: Any, built_sources: Path
) -> None:
    rows = ask(said.DELETED, "select content, verdict, rule_id from events order by position")
    assert rows == [
        ("The buoy service needs port 7555", "first", None),
        ("/review", "refused", "slash_command"),
        ("!ls", "refused", "machine_prompt"),
        ("Compare with [Pasted text #2 +9 lines]", "first", None),
    ]
    kept = query(
        built_sources,
        "select fact_type, project_key, source_session_id from marts.facts"
        " where text like 'The tide tables%' or text like 'The buoy%' order by all",
    )
    assert kept == [
        ("user_statement", "work/repeats", said.DELETED),
        ("user_statement", "work/repeats", None),
    ]


def test_lines_edited_in_place_are_one_event_with_its_change_noted(
    tmp_path: Path, shared: Path
) -> None:
    """A real file in three versions: no event goes, and what changed is named."""
    versions = shared / "real" / "claude_code" / "daaain__claude-code-log" / "versions"
    with built(tmp_path / "home", versions) as warehouse:
        changed = warehouse.execute(
            "select native_id, changed_fields from intermediate.int_events_unioned"
            " where len(changed_fields) > 0 order by all"
        ).fetchall()
    assert changed == [("edge_011", ["content", "occurred_at"])]


def test_answers_follow_their_questions_whatever_the_clocks_say(
    ask: Any, built_sources: Path
) -> None:
    """BR29: one answer stamped ten minutes early, two equal stamps, one without any."""
    rows = ask(said.SKEWED, "select left(content, 9), is_early from events order by event_order")
    assert rows == [
        ("Which tid", False),
        ("The pilot", True),
        ("And who w", True),
        ("The harbo", True),
    ]
    told = run_tamis("--home", built_sources, "doctor").stdout
    early = query(built_sources, "select sum(is_early::int) from intermediate.int_events_ordered")
    assert early[0][0] >= 3
    assert f"{early[0][0]} events are stamped before what they answer" in told
