with
    events as (select * from {{ ref("int_events_classified") }}),

    covers as (select * from {{ ref("int_events_covered") }}),

    captures as (select * from {{ ref("int_captures_merged") }}),

    groups as (select * from {{ ref("int_events_grouped") }}),

    rooted as (
        select
            events.event_id,
            events.copy_kind,
            coalesce(covers.cover_rule, groups.cover_rule) as cover_rule,
            coalesce(
                outer_covers.covered_by_event_id,
                covers.covered_by_event_id,
                groups.first_event_id,
                events.event_id
            ) as root_event_id
        from events
        left join covers on events.event_id = covers.event_id
        left join
            covers as outer_covers on covers.covered_by_event_id = outer_covers.event_id
        left join groups on events.event_id = groups.event_id
    ),

    judged as (
        select
            rooted.event_id,
            rooted.root_event_id,
            rooted.cover_rule,
            rooted.copy_kind,
            roots.source_system,
            roots.session_id,
            roots.known_project_key as own_project_key,
            roots.namespace,
            roots.rule_id,
            roots.body_hash,
            roots.event_order,
            coalesce(captures.capture_id, rooted.root_event_id) as capture_id,
            captures.capture_project_key
        from rooted
        inner join events as roots on rooted.root_event_id = roots.event_id
        left join captures on rooted.root_event_id = captures.event_id
    ),

    -- A session belongs where it began, also when it goes on in a temporary folder.
    sessions as (
        select
            source_system,
            session_id,
            min_by(known_project_key, event_order) as session_project_key
        from events
        where known_project_key is not null and is_turn
        group by source_system, session_id
    ),

    placed as (
        select
            judged.*,
            coalesce(
                judged.capture_project_key,
                judged.own_project_key,
                sessions.session_project_key
            ) as known_project_key
        from judged
        left join
            sessions
            on judged.source_system = sessions.source_system
            and judged.session_id = sessions.session_id
    ),

    -- A body of unknown project joins the only known project that holds the same body.
    bodies as (
        select namespace, body_hash, min(known_project_key) as body_project_key
        from placed
        where rule_id is null and known_project_key is not null
        group by namespace, body_hash
        having count(distinct known_project_key) = 1
    ),

    resolved as (
        select
            placed.*,
            coalesce(
                placed.known_project_key,
                case when placed.rule_id is null then bodies.body_project_key end,
                'unknown-project'
            ) as project_key
        from placed
        left join
            bodies
            on placed.namespace = bodies.namespace
            and placed.body_hash = bodies.body_hash
    ),

    ranked as (
        select
            *,
            row_number() over (
                partition by namespace, project_key, body_hash, rule_id is null
                order by
                    cover_rule is not null, copy_kind is not null, event_order, event_id
            ) as sighting_rank
        from resolved
    )

select
    event_id,
    root_event_id,
    capture_id,
    namespace,
    project_key,
    body_hash,
    rule_id,
    cover_rule,
    case
        when rule_id is null
        then {{ id_from(["namespace", "project_key", "body_hash", "''"]) }}
    end as fact_id,
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
