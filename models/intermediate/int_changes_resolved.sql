with
    changes as (select * from {{ ref("int_changes_unioned") }}),

    targeted as (
        select * from {{ ref("int_changes_targeted") }} where unresolved_reason is null
    ),

    statements as (
        select * from {{ ref("int_statements_resolved") }} where rule_id is null
    ),

    events as (select * from {{ ref("int_events_unioned") }}),

    named as (
        select
            changes.change_id,
            changes.kind,
            changes.occurred_at as decided_at,
            targeted.event_id,
            targeted.replacement_event_id,
            events.occurred_at as begun_at,
            replacements.occurred_at as replacement_begun_at,
            changes.kind = 'correct'
            and targeted.replacement_event_id is null as is_of_its_place,
            changes.kind in ('correct', 'supersede')
            and targeted.replacement_event_id is not null as has_successor
        from targeted
        inner join changes on targeted.change_id = changes.change_id
        inner join events on targeted.event_id = events.event_id
        left join
            events as replacements
            on targeted.replacement_event_id = replacements.event_id
    ),

    ended as (
        select event_id, min(decided_at) as decided_at
        from named
        where kind <> 'reopen' and not is_of_its_place
        group by event_id
    ),

    -- A statement ends when what replaces it begins, else when it was decided. What
    -- had been taken back before the decision begins again with it.
    targets as (
        select
            named.*,
            statements.namespace,
            statements.project_key,
            statements.body_hash,
            case
                when not named.has_successor or ended.decided_at <= named.decided_at
                then named.decided_at
                else named.replacement_begun_at
            end as moved_at
        from named
        inner join statements on named.event_id = statements.event_id
        left join
            ended
            on named.replacement_event_id = ended.event_id
            and named.replacement_begun_at < named.begun_at
    ),

    undated as (
        select distinct event_id
        from targets
        where
            coalesce(moved_at, decided_at) is null
            and kind <> 'reopen'
            and not is_of_its_place
    ),

    -- The memories that say what is to end.
    lives as (
        select
            statements.namespace,
            statements.project_key,
            statements.body_hash,
            statements.event_id,
            events.source_system,
            events.source_entity,
            events.occurred_at,
            statements.cover_rule is null and undated.event_id is null as is_counted
        from statements
        inner join
            (select distinct namespace, project_key, body_hash from targets) as ended
            on statements.namespace = ended.namespace
            and statements.project_key = ended.project_key
            and statements.body_hash = ended.body_hash
        inner join events on statements.event_id = events.event_id
        left join undated on statements.event_id = undated.event_id
    ),

    -- Each begins once, and ends and begins again by operations.
    steps as (
        select
            lives.*,
            null::varchar as change_id,
            coalesce(lives.occurred_at, '-infinity'::timestamp) as stepped_at,
            0 as step_rank,
            true as is_standing
        from lives
        union all
        select
            lives.*,
            targets.change_id,
            case
                when coalesce(targets.moved_at, targets.decided_at) is null
                then 'infinity'::timestamp
                when targets.has_successor
                then coalesce(targets.moved_at, targets.decided_at)
                else greatest(targets.moved_at, lives.occurred_at)
            end as stepped_at,
            case when targets.kind = 'reopen' then 2 else 1 end as step_rank,
            targets.kind = 'reopen' as is_standing
        from targets
        inner join lives on targets.event_id = lives.event_id
        where not targets.is_of_its_place
    ),

    turned as (
        select
            *,
            lag(is_standing, 1, false) over (
                partition by event_id order by stepped_at, step_rank, change_id
            ) as was_standing
        from steps
    ),

    -- What its store still says elsewhere at that time was not taken back.
    counted as (
        select
            *,
            sum(
                case
                    when not is_counted or is_standing = was_standing
                    then 0
                    when is_standing
                    then 1
                    else -1
                end
            ) over (
                partition by
                    source_system, source_entity, namespace, project_key, body_hash
                order by stepped_at
                range between unbounded preceding and current row
            ) as standing_count
        from turned
    ),

    held as (
        select change_id, namespace, project_key, body_hash
        from counted
        where change_id is not null and not is_standing
        group by change_id, namespace, project_key, body_hash
        having max(standing_count) > 0
    ),

    told as (
        select
            change_id,
            namespace,
            project_key,
            body_hash,
            min(begun_at) as begun_at,
            min(moved_at) as moved_at,
            min(replacement_event_id) as replacement_event_id
        from targets
        group by change_id, namespace, project_key, body_hash
    )

select
    {{
        id_from(
            [
                "told.change_id",
                "told.namespace",
                "told.project_key",
                "told.body_hash",
            ]
        )
    }} as resolved_change_id,
    told.change_id,
    changes.kind,
    told.begun_at,
    told.moved_at,
    told.namespace,
    told.project_key,
    told.body_hash,
    held.change_id is not null as is_held,
    coalesce(
        (told.namespace, told.project_key, told.body_hash)
        = (replacements.namespace, replacements.project_key, replacements.body_hash),
        false
    ) as is_of_itself,
    replacements.namespace as replacement_namespace,
    replacements.project_key as replacement_project_key,
    replacements.body_hash as replacement_body_hash
from told
inner join changes on told.change_id = changes.change_id
left join
    held
    on told.change_id = held.change_id
    and told.namespace = held.namespace
    and told.project_key = held.project_key
    and told.body_hash = held.body_hash
left join
    statements as replacements on told.replacement_event_id = replacements.event_id
