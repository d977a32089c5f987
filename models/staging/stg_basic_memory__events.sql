with
    notes as (select * from {{ ref("stg_basic_memory__notes") }}),

    memories as ({{ basic_memory_memories("notes") }}),

    paths as (
        select note_key, list(distinct file_path order by file_path) as file_paths
        from notes
        group by note_key
    ),

    -- A note does not say when a line of it was written: no later than the first
    -- state that holds it.
    begun as (
        select native_id, min(updated_at) as first_updated_at
        from memories
        group by native_id
    ),

    distinct_memories as (
        select record_id, native_id, min_by(memories, item_number) as memory
        from memories
        group by record_id, native_id
    ),

    texts as (
        select
            record_id,
            note_key as native_id,
            content,
            updated_at as occurred_at,
            'note' as memory_kind,
            note_type as category,
            null as context,
            null as tags
        from notes
        where content is not null
        union all
        select
            distinct_memories.record_id,
            distinct_memories.native_id,
            distinct_memories.memory.content,
            begun.first_updated_at,
            distinct_memories.memory.memory_kind,
            distinct_memories.memory.category,
            distinct_memories.memory.context,
            distinct_memories.memory.tags
        from distinct_memories
        inner join begun on distinct_memories.native_id = begun.native_id
    ),

    placed as (
        select
            texts.*,
            notes.note_key,
            notes.project_name,
            notes.project_path,
            notes.title,
            notes.permalink,
            notes.file_path,
            notes.landed_at,
            paths.file_paths
        from texts
        inner join notes on texts.record_id = notes.record_id
        inner join paths on notes.note_key = paths.note_key
    )

select
    {{ event_id("'basic_memory'", "native_id", "note_key", "null::varchar", "'0'") }}
    as event_id,
    'basic_memory' as source_system,
    'notes' as source_entity,
    native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    note_key as session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    null::varchar as role,
    'memory' as event_kind,
    null::varchar as trigger_kind,
    project_path as cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "project_name": "project_name",
                "memory_kind": "memory_kind",
                "category": "category",
                "context": "context",
                "tags": "tags",
                "title": "title",
                "permalink": "permalink",
                "file_path": "file_path",
                "file_paths": "file_paths",
            }
        )
    }} as metadata
from placed
