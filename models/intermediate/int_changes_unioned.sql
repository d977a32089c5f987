with
    changes as (select * from {{ ref("stg_tamis__changes") }}),

    chosen as (
        select
            change_id,
            min_by(
                changes,
                (
                    coalesce(occurred_at, '9999-01-01'::timestamp),
                    coalesce(reason, ''),
                    coalesce(actor, ''),
                    coalesce(replacement_native_id, ''),
                    coalesce(target_native_id, '')
                )
            ) as change
        from changes
        group by change_id
    )

select
    change_id,
    change.source_system as source_system,
    change.target_native_id as target_native_id,
    change.replacement_native_id as replacement_native_id,
    change.kind as kind,
    change.reason as reason,
    change.actor as actor,
    change.occurred_at as occurred_at,
    {{ json_string("change.metadata", "$.session_id") }} as session_id,
    {{ json_string("change.metadata", "$.project_id") }} as project_name,
    {{ json_string("change.metadata", "$.replacement_part") }} as replacement_part,
    {{ json_string("change.metadata", "$.changeset_id") }} as changeset_id
from chosen
