with
    rows_landed as (select * from {{ source("lethe", "refs") }}),

    parsed as (
        select
            record_id,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("ref")) }} as ref_row
        from rows_landed
    ),

    numbered as (
        select
            *,
            {{
                newest_state(
                    "ref_row.project_id, ref_row.ref_name",
                    lethe_time("ref_row.updated_at"),
                )
            }} as state_number
        from parsed
    )

select
    ref_row.project_id as project_id,
    ref_row.ref_name as ref_name,
    ref_row.head_changeset_id as head_changeset_id,
    coalesce(ref_row.protected = '1', false) as is_protected,
    ref_row.created_by_principal as created_by_principal,
    {{ lethe_time("ref_row.created_at") }} as created_at,
    {{ lethe_time("ref_row.updated_at") }} as updated_at,
    record_id
from numbered
where state_number = 1
