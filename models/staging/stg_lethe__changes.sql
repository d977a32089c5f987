with
    ops as (select * from {{ ref("stg_lethe__changeset_ops") }}),

    changesets as (select * from {{ ref("stg_lethe__changesets") }}),

    changing as (
        select
            *,
            case
                op_type
                when 'correct_memory'
                then 'correct'
                when 'supersede_memory'
                then 'supersede'
                when 'mark_duplicate'
                then 'duplicate'
            end as kind
        from ops
        where
            is_newest
            and op_type in ('correct_memory', 'supersede_memory', 'mark_duplicate')
    )

select
    {{
        id_from(
            [
                "'lethe'",
                "changesets.project_id",
                "changing.changeset_id",
                "changing.ordinal",
            ]
        )
    }} as change_id,
    'lethe' as source_system,
    changing.target_memory_id as target_native_id,
    changing.resulting_memory_id as replacement_native_id,
    changing.kind,
    coalesce(changing.reason, nullif(changesets.message, '')) as reason,
    coalesce(nullif(changesets.actor_id, ''), changesets.author_principal) as actor,
    changesets.created_at as occurred_at,
    {{
        json_object_of(
            {
                "project_id": "changesets.project_id",
                "ref_name": "changesets.ref_name",
                "changeset_id": "changing.changeset_id",
                "ordinal": "changing.ordinal",
                "replacement_part": lethe_part("changing.content"),
                "author_principal": "changesets.author_principal",
            }
        )
    }} as metadata
from changing
left join changesets on changing.changeset_id = changesets.changeset_id
