with
    rows_landed as (select * from {{ source("lethe", "legacy_baselines") }}),

    parsed as (
        select
            record_id,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("legacy_baseline")) }}
            as legacy_baseline
        from rows_landed
    ),

    numbered as (
        select
            *,
            {{
                newest_state(
                    "legacy_baseline.project_id, legacy_baseline.root_changeset_id"
                )
            }} as state_number
        from parsed
    )

select
    legacy_baseline.project_id as project_id,
    legacy_baseline.root_changeset_id as root_changeset_id,
    {{ json_texts(readable_json("legacy_baseline.event_ids_json")) }} as event_ids,
    {{ lethe_time("legacy_baseline.captured_through") }} as captured_through_at,
    {{ lethe_time("legacy_baseline.created_at") }} as created_at,
    record_id
from numbered
where state_number = 1
