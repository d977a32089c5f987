with
    verdicts as (select * from {{ ref("int_events_deduplicated") }}),

    captured as (select * from {{ ref("int_events_unioned") }}),

    names as (select * from {{ ref("int_names_redacted") }}),

    events as (
        select *
        from
            {{ with_shown("captured", "names", ["session_id", "session_key"]) }}
            as shown
    ),

    keys as (select * from {{ ref("int_events_keyed") }}),

    classified as (select * from {{ ref("int_events_classified") }}),

    described as (
        select
            events.source_system,
            events.shown_session_id as session_id,
            events.shown_session_key as session_key,
            events.trigger_kind,
            events.occurred_at,
            keys.namespace,
            keys.agent_id,
            keys.is_subagent,
            keys.is_interactive,
            verdicts.project_key,
            verdicts.fact_id,
            verdicts.event_id = verdicts.capture_id
            and classified.is_turn as is_captured_turn
        from events
        inner join keys on events.event_id = keys.event_id
        inner join verdicts on events.event_id = verdicts.event_id
        inner join classified on events.event_id = classified.event_id
        where events.session_id is not null
    ),

    sessions as (
        select
            {{ id_from(["source_system", "session_id", "namespace"]) }}
            as session_row_id,
            source_system,
            session_id,
            min(session_key) as session_key,
            namespace,
            min(agent_id) as agent_id,
            min(trigger_kind) as trigger_kind,
            bool_and(is_subagent) as is_subagent,
            bool_and(is_interactive) as is_interactive,
            coalesce(
                min(nullif(project_key, 'unknown-project')), 'unknown-project'
            ) as project_key,
            count(*) as event_count,
            count(*) filter (where is_captured_turn) as turn_count,
            count(distinct fact_id) as fact_count,
            min(occurred_at) as first_seen_at,
            max(occurred_at) as last_seen_at
        from described
        group by source_system, session_id, namespace
    )

select *
from sessions
