with
    answers as (select * from {{ source("lethe", "context_memories") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{
                json_fields(
                    readable_json("payload"),
                    {
                        "project_id": "VARCHAR",
                        "ref_name": "VARCHAR",
                        "memory": lethe_fields("memory"),
                    },
                )
            }} as answer
        from answers
    )

select
    answer.project_id as project_id,
    answer.ref_name as ref_name,
    answer.memory.memory_id as memory_id,
    coalesce(answer.memory.content, '') as content,
    answer.memory.event_type as event_type,
    answer.memory.kind as memory_kind,
    answer.memory.scope as scope,
    answer.memory.visibility as visibility,
    answer.memory.tags as tags,
    try_cast(answer.memory.confidence as double) as confidence,
    answer.memory.status as status,
    answer.memory.source as memory_source,
    record_id,
    landed_at
from parsed
