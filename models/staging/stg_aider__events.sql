with
    blocks as (select * from {{ ref("stg_aider__blocks") }}),

    identified as (
        select
            *,
            concat_ws('/', chat_id, left({{ sha256_hex("content") }}, 16)) as native_id,
            block_number::varchar as part
        from blocks
    )

select
    {{ event_id("'aider'", "native_id", "chat_id", "speaker") }} as event_id,
    'aider' as source_system,
    'chats' as source_entity,
    native_id,
    part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    chat_id as session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    speaker as role,
    case
        when speaker = 'tool'
        then 'tool_result'
        else {{ said_kind("speaker", "content", "false") }}
    end as event_kind,
    null::varchar as trigger_kind,
    cwd,
    null::varchar as git_branch,
    content,
    started_at as occurred_at,
    landed_at,
    record_id,
    {{ json_object_of({"project_name": "folder"}) }} as metadata
from identified
