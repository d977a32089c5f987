with
    projected as (select * from {{ ref("int_histories_projected") }}),

    told as ({{ memory_git_items("projected", "conflicts", "conflict") }})

select
    coalesce(
        conflict.conflict_id,
        {{
            id_from(
                [
                    "project_name",
                    "conflict.conflict_type",
                    "conflict.left_changeset_id",
                    "conflict.right_changeset_id",
                    "conflict.memory_ids",
                    "conflict.number",
                ]
            )
        }}
    ) as conflict_id,
    project_name,
    conflict.conflict_type as conflict_type,
    conflict.severity as severity,
    coalesce(conflict.status, 'found') as status,
    {{ redact_secrets("conflict.summary") }} as summary,
    conflict.base_changeset_id as base_changeset_id,
    conflict.left_changeset_id as left_changeset_id,
    conflict.right_changeset_id as right_changeset_id,
    nullif(conflict.changeset_id, '') as changeset_id,
    coalesce(conflict.memory_ids, []) as memory_ids,
    conflict.created_at as recorded_at,
    conflict.resolved_at as resolved_at
from told
