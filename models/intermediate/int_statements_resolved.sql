with
    events as (select * from {{ ref("int_events_placed") }}),

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
            roots.known_project_key as own_project_key,
            roots.project_found_by as own_project_found_by,
            roots.namespace,
            roots.rule_id,
            roots.body_hash,
            roots.event_order,
            coalesce(captures.capture_id, rooted.root_event_id) as capture_id,
            coalesce(captures.capture_order, roots.event_order) as capture_order,
            captures.capture_project_key
        from rooted
        inner join events as roots on rooted.root_event_id = roots.event_id
        left join captures on rooted.root_event_id = captures.event_id
    ),

    placed as (
        select
            judged.*,
            coalesce(
                judged.capture_project_key, judged.own_project_key
            ) as known_project_key,
            case
                when judged.capture_project_key <> coalesce(judged.own_project_key, '')
                then 'capture'
                else judged.own_project_found_by
            end as known_by
        from judged
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
            ) as project_key,
            coalesce(
                placed.known_by,
                case
                    when placed.rule_id is null and bodies.body_project_key is not null
                    then 'statement'
                end
            ) as project_found_by
        from placed
        left join
            bodies
            on placed.namespace = bodies.namespace
            and placed.body_hash = bodies.body_hash
    )

select
    event_id,
    root_event_id,
    capture_id,
    capture_order,
    event_order,
    copy_kind,
    cover_rule,
    rule_id,
    namespace,
    own_project_key,
    project_key,
    project_found_by,
    body_hash
from resolved
