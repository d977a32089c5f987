with
    rows_landed as (select * from {{ source("lethe", "manifests") }}),

    parsed as (
        select
            record_id,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("manifest")) }}
            as manifest
        from rows_landed
    ),

    numbered as (
        select *, {{ newest_state("manifest.manifest_id") }} as state_number from parsed
    )

select
    manifest.manifest_id as manifest_id,
    manifest.direction as direction,
    manifest.project_id as project_id,
    manifest.ref_name as ref_name,
    manifest.head_changeset_id as head_changeset_id,
    manifest.base_changeset_id as base_changeset_id,
    manifest.resulting_changeset_id as resulting_changeset_id,
    {{ json_texts(readable_json("manifest.selected_memory_ids_json")) }}
    as selected_memory_ids,
    {{ readable_json("manifest.inclusion_reasons_json") }} as inclusion_reasons,
    {{ readable_json("manifest.exclusion_reasons_json") }} as exclusion_reasons,
    {{ json_texts(readable_json("manifest.unresolved_conflicts_json")) }}
    as unresolved_conflict_ids,
    manifest.session_id as session_id,
    manifest.actor_id as actor_id,
    {{ lethe_time("manifest.created_at") }} as created_at,
    record_id
from numbered
where state_number = 1
