with
    rows_landed as (select * from {{ source("lethe", "changeset_ops") }}),

    parsed as (
        select
            record_id,
            landed_at,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("op")) }} as op
        from rows_landed
    ),

    numbered as (
        select
            *,
            {{ readable_json("op.payload_json") }} as payload,
            {{
                json_fields(
                    readable_json("op.payload_json"), lethe_fields("op_payload")
                )
            }} as told,
            {{ newest_state("op.changeset_id, try_cast(op.ordinal as bigint)") }}
            as state_number
        from parsed
    )

select
    op.changeset_id as changeset_id,
    try_cast(op.ordinal as bigint) as ordinal,
    op.op_type as op_type,
    op.target_event_id as target_event_id,
    op.resulting_event_id as resulting_event_id,
    {{ lethe_target("op", "told") }} as target_memory_id,
    {{ lethe_result("op", "told") }} as resulting_memory_id,
    case
        when op.op_type in ('add_memory', 'correct_memory', 'supersede_memory')
        then nullif(told.content, '')
    end as content,
    told.kind as memory_kind,
    told.event_type as event_type,
    told.scope as scope,
    told.visibility as visibility,
    told.tags as tags,
    try_cast(told.confidence as double) as confidence,
    nullif(told.reason, '') as reason,
    payload,
    state_number = 1 as is_newest,
    record_id,
    landed_at
from numbered
