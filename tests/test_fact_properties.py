"""Whatever stores say and take back: what must hold of the versions that come of it."""

import random
from collections.abc import Sequence

from fact_stories import Change, Memory, Story, versions
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from plain_build import PlainBuild

DAYS = st.one_of(st.none(), st.integers(0, 9).map(float))
NAMES = st.sampled_from(["m1", "m2", "m3", "m4", "m5", "m6"])
OWNERS = st.sampled_from([(None, None), (None, None), (None, None), ("scout", None), (None, "app")])


@st.composite
def told_stories(draw: st.DrawFn) -> Story:
    """Memories of few texts, and operations of every kind on them: also on none of them, on
    themselves, in circles, twice, before what they name, and at no time."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    memories = []
    for name in names:
        agent, project = draw(OWNERS)
        memories.append(
            Memory(name, draw(st.sampled_from(["A", "B", "C"])), draw(DAYS), agent, project)
        )
    changes = draw(
        st.lists(
            st.builds(
                Change,
                st.sampled_from(["correct", "supersede", "duplicate", "retire", "reopen"]),
                NAMES,
                st.one_of(st.none(), NAMES),
                DAYS,
            ),
            max_size=6,
            unique=True,
        )
    )
    return memories, changes


# A build of many stories costs hardly more than one of few.
many_stories = st.lists(told_stories(), min_size=30, max_size=60)
quickly = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
VERSIONS = """
    select namespace, project_key, body_hash, fact_id, t_valid, t_invalid, is_ended, superseded_by
    from {{ ref("int_facts_versioned") }}
    order by all
"""
CURRENT = """
    select namespace, project_key, body_hash
    from {{ ref("int_facts_versioned") }}
    where not is_ended
    order by all
"""


def supports(build: PlainBuild) -> list[tuple[str, str]]:
    return build.rows(
        'select event_id, fact_id from {{ ref("int_events_deduplicated") }} order by all'
    )


def later(stories: Sequence[Story]) -> list[Story]:
    """The stories, and all that they say said once more at their end, by other memories."""
    return [
        (
            [
                *memories,
                *(
                    Memory(f"again{n}", told.text, 20.0, told.agent, told.project)
                    for n, told in enumerate(memories)
                ),
            ],
            changes,
        )
        for memories, changes in stories
    ]


@quickly
@given(many_stories)
def test_versions_of_a_statement_follow_one_another(stories: list[Story]) -> None:
    build = versions(stories)
    assert build.rows(
        """
        with
            followed as (
                select
                    *,
                    lead(t_valid) over statement as next_valid,
                    lead(fact_id) over statement is not null as is_followed
                from {{ ref("int_facts_versioned") }}
                window
                    statement as (
                        partition by namespace, project_key, body_hash order by version_number
                    )
            )
        select *
        from followed
        where
            t_invalid <= t_valid
            or is_followed and not is_ended
            or is_followed and (next_valid is null or next_valid < coalesce(t_invalid, t_valid))
            or t_invalid is not null and not is_ended
            or is_ended and ending_change_id is null
            or superseded_by = fact_id
            or superseded_by is not null and not is_ended
        """
    ) == []  # fmt: skip


@quickly
@given(many_stories)
def test_every_statement_supports_a_version_and_none_crosses_owners(stories: list[Story]) -> None:
    build = versions(stories)
    assert len(supports(build)) == sum(len(memories) for memories, _ in stories)
    assert build.rows(
        """
        select told.event_id
        from {{ ref("int_events_deduplicated") }} as told
        left join {{ ref("int_facts_versioned") }} as versions on told.fact_id = versions.fact_id
        where
            versions.fact_id is null
            or versions.namespace <> told.namespace
            or versions.project_key <> told.project_key
        """
    ) == []  # fmt: skip
    assert build.rows(
        """
        select fact_id
        from {{ ref("int_facts_versioned") }}
        where
            opening_change_id is null
            and fact_id not in (select fact_id from {{ ref("int_events_deduplicated") }})
        """
    ) == []  # fmt: skip
    assert build.rows(
        """
        select versions.fact_id
        from {{ ref("int_facts_versioned") }} as versions
        inner join {{ ref("int_facts_versioned") }} as nexts
            on versions.superseded_by = nexts.fact_id
        where versions.namespace <> nexts.namespace
        """
    ) == []  # fmt: skip


@quickly
@given(many_stories, st.randoms(use_true_random=False))
def test_the_order_of_landing_changes_nothing(stories: list[Story], dice: random.Random) -> None:
    build = versions(stories)
    shuffled = [
        (dice.sample(memories, len(memories)), dice.sample(changes, len(changes)))
        for memories, changes in stories
    ]
    again = versions(shuffled)
    assert again.rows(VERSIONS) == build.rows(VERSIONS)
    assert supports(again) == supports(build)


@quickly
@given(many_stories)
def test_what_is_said_again_revives_nothing(stories: list[Story]) -> None:
    # What was taken back at an unknown time may have been said after that.
    dated = [
        (memories, [change for change in changes if change.day is not None])
        for memories, changes in stories
    ]
    assert versions(later(dated)).rows(CURRENT) == versions(dated).rows(CURRENT)


@quickly
@given(many_stories)
def test_nothing_ends_without_an_operation(stories: list[Story]) -> None:
    build = versions([(memories, []) for memories, _ in stories])
    assert build.rows('select 1 from {{ ref("int_facts_versioned") }} where is_ended') == []
