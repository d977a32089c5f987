with
    verdicts as (
        select * from {{ ref("int_events_deduplicated") }} where fact_id is not null
    ),

    versions as (select * from {{ ref("int_facts_versioned") }}),

    recorded as (select * from {{ ref("int_changes_recorded") }}),

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

    -- A version that nobody stated anew says what the statement's first sighting says.
    firsts as (
        select
            versions.*, coalesce(verdicts.event_id, versions.first_event_id) as event_id
        from versions
        left join
            verdicts
            on versions.fact_id = verdicts.fact_id
            and verdicts.verdict = 'first'
    ),

    described as (
        select
            firsts.*,
            roots.root_event_id,
            events.role,
            events.event_kind,
            events.user_id,
            events.source_system,
            events.session_id,
            {{ json_string("events.metadata", "$.context") }} as context
        from firsts
        inner join verdicts as roots on firsts.event_id = roots.event_id
        inner join events on firsts.event_id = events.event_id
    ),

    told as (
        select *
        from {{ with_shown("described", "names", ["session_id", "context"]) }} as shown
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
            coalesce(sightings.tags, []::varchar[]) as tags,
            null::double as confidence,
            typed.body_hash,
            typed.t_valid,
            typed.t_invalid,
            coalesce(sightings.recorded_at, opened.recorded_at) as recorded_at,
            case
                when typed.is_ended
                then coalesce(ended.recorded_at, successors.recorded_at)
            end as expired_at,
            typed.superseded_by,
            not typed.is_ended as is_current,
            coalesce(sightings.capture_count, 0) as capture_count,
            greatest(coalesce(sightings.capture_count, 0) - 1, 0) as access_count,
            coalesce(sightings.first_seen_at, typed.t_valid) as first_seen_at,
            coalesce(sightings.last_seen_at, typed.t_valid) as last_seen_at,
            typed.source_system,
            typed.shown_session_id as source_session_id,
            coalesce(sightings.source_systems, [typed.source_system]) as source_systems,
            null::varchar as source_model_version,
            null::varchar as dream_run_id,
            {{ run_id() }} as run_id
        from typed
        left join sightings on typed.fact_id = sightings.fact_id
        inner join bodies on typed.root_event_id = bodies.event_id
        inner join keys on typed.event_id = keys.event_id
        left join sightings as successors on typed.superseded_by = successors.fact_id
        left join recorded as opened on typed.opening_change_id = opened.change_id
        left join recorded as ended on typed.ending_change_id = ended.change_id
    )

select *
from facts
