with
    memories as (select * from {{ ref("stg_mem0__memories") }}),

    states as (select * from {{ ref("stg_mem0__states") }}),

    owned as (
        select
            states.*,
            memories.agent_id,
            coalesce(memories.is_subagent, false) as is_subagent,
            memories.session_id
        from states
        left join
            memories
            on states.memory_id = memories.memory_id
            and memories.newest_rank = 1
    ),

    -- An update leaves a memory's own time as it was: its text is as old as the last
    -- state that brought it, else as the memory's last change.
    begun as (
        select memory_id, new_text, max(state_at) as begun_at
        from states
        where new_text <> coalesce(old_text, '')
        group by memory_id, new_text
    ),

    stated as (
        select memories.*, coalesce(begun.begun_at, memories.stated_at) as text_begun_at
        from memories
        left join
            begun
            on memories.memory_id = begun.memory_id
            and memories.content = begun.new_text
    ),

    messages as (select * from {{ source("mem0", "messages") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields(readable_json("payload"), mem0_message_fields()) }}
            as message
        from messages
    ),

    captured as (
        select
            record_id,
            landed_at,
            'memories' as source_entity,
            memory_id as native_id,
            null::varchar as role,
            'memory' as event_kind,
            agent_id,
            session_id,
            git_branch,
            is_subagent,
            content,
            text_begun_at as occurred_at,
            details
        from stated
        union all
        select
            record_id,
            landed_at,
            'history' as source_entity,
            native_id,
            null::varchar as role,
            'memory' as event_kind,
            agent_id,
            session_id,
            null::varchar as git_branch,
            is_subagent,
            new_text as content,
            state_at as occurred_at,
            {{ json_object_of({"action": "action", "actor_id": "actor_id"}) }}
            as details
        from owned
        where new_text is not null
        union all
        select
            record_id,
            landed_at,
            'history' as source_entity,
            previous_native_id as native_id,
            null::varchar as role,
            'memory' as event_kind,
            agent_id,
            session_id,
            null::varchar as git_branch,
            is_subagent,
            old_text as content,
            null::timestamp as occurred_at,
            {{ json_object_of({"known_by": "action", "actor_id": "actor_id"}) }}
            as details
        from owned
        where previous_native_id = native_id || '/old'
        union all
        select
            record_id,
            landed_at,
            'messages' as source_entity,
            message.id as native_id,
            message.role as role,
            case
                when message.role in ('user', 'assistant')
                then {{ said_kind("message.role", "message.content", "false") }}
                when message.role = 'tool'
                then 'tool_result'
                else 'system'
            end as event_kind,
            {{
                mem0_agent(
                    mem0_scope("message.session_scope", "agent_id"),
                    mem0_scope("message.session_scope", "user_id"),
                )
            }} as agent_id,
            {{ mem0_scope("message.session_scope", "run_id") }} as session_id,
            null::varchar as git_branch,
            false as is_subagent,
            message.content as content,
            {{ utc_timestamp("message.created_at") }} as occurred_at,
            {{
                json_object_of(
                    {
                        "session_scope": "message.session_scope",
                        "speaker": "message.name",
                    }
                )
            }} as details
        from parsed
        where message.id is not null and message.content <> ''
    )

select
    {{
        event_id(
            "'mem0'",
            "native_id",
            session_id="null::varchar",
            part="'0'",
        )
    }} as event_id,
    'mem0' as source_system,
    source_entity,
    native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    session_id,
    null::varchar as turn_id,
    agent_id,
    {{ user_id() }} as user_id,
    role,
    event_kind,
    null::varchar as trigger_kind,
    null::varchar as cwd,
    git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{ json_merged("details", json_object_of({"is_subagent": "is_subagent"})) }}
    as metadata
from captured
