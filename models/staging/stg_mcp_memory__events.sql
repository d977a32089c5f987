with
    memories as (select * from {{ ref("stg_mcp_memory__memories") }}),

    -- One line can say the same twice; it is one sighting.
    distinct_memories as (
        select record_id, native_id, min_by(memories, item_number) as memory
        from memories
        group by record_id, native_id
    )

select
    {{
        event_id(
            "'mcp_memory'",
            "native_id",
            "memory.container",
            "null::varchar",
            "'0'",
        )
    }} as event_id,
    'mcp_memory' as source_system,
    'entries' as source_entity,
    native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    memory.container as session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    null::varchar as role,
    -- The name of an entity alone states nothing.
    case
        when memory.memory_kind = 'entity' then 'system' else 'memory'
    end as event_kind,
    null::varchar as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    memory.content as content,
    memory.occurred_at as occurred_at,
    memory.landed_at as landed_at,
    record_id,
    {{
        json_object_of(
            {
                "context": "case when memory.memory_kind = 'observation' then memory.entity_name end",
                "entity_name": "memory.entity_name",
                "entity_type": "memory.entity_type",
                "relation_type": "memory.relation_type",
                "memory_kind": "memory.memory_kind",
                "project_name": first_match("memory.container", "^([^/]+)/"),
            }
        )
    }}
    as metadata
from distinct_memories
