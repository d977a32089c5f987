with
    verdicts as (
        select * from {{ ref("int_events_deduplicated") }} where fact_id is not null
    ),

    events as (select * from {{ ref("int_events_unioned") }}),

    bodies as (select * from {{ ref("int_events_redacted") }}),

    names as (select * from {{ ref("int_names_redacted") }}),

    keys as (select * from {{ ref("int_events_keyed") }}),

    fact_types as (select * from {{ ref("fact_types") }}),

    grouping_rules as (select * from {{ ref("grouping_rules") }}),

    sightings as (
        select
            verdicts.fact_id,
            count(*) as capture_count,
            min(events.occurred_at) as first_seen_at,
            max(events.occurred_at) as last_seen_at,
            min(events.landed_at) as recorded_at,
            list(
                distinct events.source_system order by events.source_system
            ) as source_systems,
            coalesce(
                list(
                    distinct grouping_rules.cover_rule
                    order by grouping_rules.cover_rule
                ) filter (where grouping_rules.cover_rule is not null),
                []
            ) as tags
        from verdicts
        inner join events on verdicts.event_id = events.event_id
        left join grouping_rules on verdicts.cover_rule = grouping_rules.cover_rule
        group by verdicts.fact_id
    ),

    -- A statement that the policy in force stored again ends the version before it.
    endings as (
        select
            verdicts.fact_id,
            verdicts.next_fact_id as superseded_by,
            events.occurred_at as t_invalid,
            sightings.recorded_at as expired_at
        from verdicts
        inner join
            verdicts as openers
            on verdicts.next_fact_id = openers.fact_id
            and openers.verdict = 'first'
        inner join events on openers.event_id = events.event_id
        inner join sightings on openers.fact_id = sightings.fact_id
        where verdicts.verdict = 'first' and verdicts.next_fact_id is not null
    ),

    firsts as (
        select
            verdicts.*,
            events.role,
            events.event_kind,
            events.user_id,
            events.source_system,
            events.session_id,
            events.occurred_at,
            {{ json_string("events.metadata", "$.context") }} as context
        from verdicts
        inner join events on verdicts.event_id = events.event_id
        where verdicts.verdict = 'first'
    ),

    told as (
        select *
        from {{ with_shown("firsts", "names", ["session_id", "context"]) }} as shown
    ),

    typed as (
        select told.*, fact_types.fact_type, fact_types.salience
        from told
        left join
            fact_types
            on told.event_kind = fact_types.event_kind
            and coalesce(fact_types.role, told.role, '') = coalesce(told.role, '')
    ),

    facts as (
        select
            typed.fact_id,
            typed.namespace,
            typed.user_id,
            keys.agent_id,
            typed.project_key,
            keys.worktree,
            coalesce(typed.fact_type, 'memory') as fact_type,
            bodies.body as text,
            typed.shown_context as context_description,
            null::varchar as reasoning,
            typed.salience::bigint as salience,
            null::varchar as source_span,
            null::double as grounding_score,
            sightings.tags,
            null::double as confidence,
            typed.body_hash,
            typed.occurred_at as t_valid,
            endings.t_invalid,
            sightings.recorded_at,
            endings.expired_at,
            endings.superseded_by,
            endings.fact_id is null as is_current,
            sightings.capture_count,
            sightings.capture_count - 1 as access_count,
            sightings.first_seen_at,
            sightings.last_seen_at,
            typed.source_system,
            typed.shown_session_id as source_session_id,
            sightings.source_systems,
            null::varchar as source_model_version,
            null::varchar as dream_run_id,
            {{ run_id() }} as run_id
        from typed
        inner join sightings on typed.fact_id = sightings.fact_id
        inner join bodies on typed.root_event_id = bodies.event_id
        inner join keys on typed.event_id = keys.event_id
        left join endings on typed.fact_id = endings.fact_id
    )

select *
from facts
