with
    changes as (
        select
            *,
            {{ json_string("metadata", "$.session_id") }} as told_session_id,
            {{ json_string("metadata", "$.replacement_part") }} as replacement_part
        from {{ ref("stg_tamis__changes") }}
        where target_native_id is not null
    ),

    statements as (
        select * from {{ ref("int_statements_resolved") }} where rule_id is null
    ),

    events as (select * from {{ ref("int_events_unioned") }}),

    -- Only a system that states changes is asked which memories it holds.
    memories as (
        select
            statements.event_id,
            statements.event_order,
            statements.cover_rule,
            statements.namespace,
            statements.project_key,
            statements.body_hash,
            events.source_system,
            events.source_entity,
            events.native_id,
            events.part,
            events.session_id,
            events.occurred_at
        from statements
        inner join events on statements.event_id = events.event_id
        where events.source_system in (select source_system from changes)
    ),

    replacements as (
        select
            changes.change_id,
            min_by(memories.event_id, memories.event_order) as event_id,
            min(memories.event_order) as event_order
        from changes
        inner join
            memories
            on changes.source_system = memories.source_system
            and changes.replacement_native_id = memories.native_id
        where coalesce(changes.replacement_part, memories.part) = memories.part
        group by changes.change_id
    ),

    -- A memory that is corrected in place keeps its id: what it said before is meant.
    targets as (
        select
            changes.change_id,
            changes.kind,
            coalesce(replacement.occurred_at, changes.occurred_at) as moved_at,
            memories.*
        from changes
        inner join
            memories
            on changes.source_system = memories.source_system
            and changes.target_native_id = memories.native_id
        left join replacements on changes.change_id = replacements.change_id
        left join memories as replacement on replacements.event_id = replacement.event_id
        where
            coalesce(changes.told_session_id, memories.session_id, '')
            = coalesce(memories.session_id, '')
            and (
                changes.target_native_id
                <> coalesce(changes.replacement_native_id, '')
                or memories.event_order < replacements.event_order
            )
    ),

    endings as (
        select event_id, min(coalesce(moved_at, '-infinity'::timestamp)) as ended_at
        from targets
        where kind <> 'reopen'
        group by event_id
    ),

    lives as (
        select memories.*, endings.ended_at
        from memories
        left join endings on memories.event_id = endings.event_id
        where memories.cover_rule is null
    ),

    -- What its store still says elsewhere at that time was not taken back.
    told as (
        select
            targets.change_id,
            targets.namespace,
            targets.project_key,
            targets.body_hash,
            min(targets.moved_at) as moved_at,
            coalesce(
                bool_or(
                    lives.event_id <> targets.event_id
                    and coalesce(
                        lives.occurred_at <= targets.moved_at,
                        lives.occurred_at is null or lives.ended_at is null
                    )
                    and coalesce(lives.ended_at > targets.moved_at, lives.ended_at is null)
                ),
                false
            ) as is_held
        from targets
        inner join
            lives
            on targets.source_system = lives.source_system
            and targets.source_entity = lives.source_entity
            and targets.namespace = lives.namespace
            and targets.project_key = lives.project_key
            and targets.body_hash = lives.body_hash
        group by
            targets.change_id,
            targets.namespace,
            targets.project_key,
            targets.body_hash
    )

select
    {{
        id_from(
            [
                "changes.change_id",
                "told.namespace",
                "told.project_key",
                "told.body_hash",
            ]
        )
    }} as resolved_change_id,
    changes.change_id,
    changes.source_system,
    changes.kind,
    changes.reason,
    changes.actor,
    changes.occurred_at as decided_at,
    told.moved_at,
    told.namespace,
    told.project_key,
    told.body_hash,
    told.is_held,
    replacement.namespace as replacement_namespace,
    replacement.project_key as replacement_project_key,
    replacement.body_hash as replacement_body_hash
from changes
inner join told on changes.change_id = told.change_id
left join replacements on changes.change_id = replacements.change_id
left join memories as replacement on replacements.event_id = replacement.event_id
