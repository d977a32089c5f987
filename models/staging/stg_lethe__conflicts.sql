with
    rows_landed as (select * from {{ source("lethe", "conflicts") }}),

    parsed as (
        select
            record_id,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("conflict")) }}
            as conflict
        from rows_landed
    ),

    numbered as (
        select *, {{ newest_state("conflict.conflict_id") }} as state_number from parsed
    )

select
    conflict.conflict_id as conflict_id,
    conflict.project_id as project_id,
    conflict.base_changeset_id as base_changeset_id,
    conflict.left_changeset_id as left_changeset_id,
    conflict.right_changeset_id as right_changeset_id,
    conflict.conflict_type as conflict_type,
    conflict.severity as severity,
    conflict.status as status,
    conflict.summary as summary,
    {{ readable_json("conflict.details_json") }} as details,
    conflict.proposal_id as proposal_id,
    conflict.resolution_note as resolution_note,
    {{ lethe_time("conflict.created_at") }} as created_at,
    {{ lethe_time("conflict.resolved_at") }} as resolved_at,
    record_id
from numbered
where state_number = 1
