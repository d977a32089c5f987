with
    statements as (select * from {{ ref("int_statements_resolved") }}),

    versions as (select * from {{ ref("int_facts_versioned") }}),

    events as (select event_id, occurred_at from {{ ref("int_events_unioned") }}),

    -- What was said when a version had begun, and no later one had, is a sighting of
    -- it.
    told as (
        select
            statements.event_id,
            max_by(versions.fact_id, versions.version_number) as fact_id
        from statements
        inner join events on statements.event_id = events.event_id
        inner join
            versions
            on statements.namespace = versions.namespace
            and statements.project_key = versions.project_key
            and statements.body_hash = versions.body_hash
        where
            statements.rule_id is null
            and (
                versions.version_number = 1
                or versions.t_valid <= events.occurred_at
                and versions.first_event_id <> events.event_id
            )
        group by statements.event_id
    ),

    supported as (
        select statements.*, told.fact_id
        from statements
        left join told on statements.event_id = told.event_id
    ),

    ranked as (
        select
            *,
            row_number() over (
                partition by coalesce(fact_id, event_id) order by {{ sighting_order() }}
            ) as sighting_rank
        from supported
    )

select
    event_id,
    root_event_id,
    capture_id,
    namespace,
    project_key,
    project_found_by,
    body_hash,
    rule_id,
    cover_rule,
    fact_id,
    case
        when rule_id is not null
        then 'refused'
        when sighting_rank = 1
        then 'first'
        when cover_rule is not null
        then 'covered'
        else 'repeat'
    end as verdict
from ranked
