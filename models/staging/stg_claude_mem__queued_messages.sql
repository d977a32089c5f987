with
    pending_messages as (select * from {{ source("claude_mem", "pending_messages") }}),

    sdk_sessions as (select * from {{ source("claude_mem", "sdk_sessions") }}),

    user_prompts as (select * from {{ source("claude_mem", "user_prompts") }}),

    observations as (select * from {{ source("claude_mem", "observations") }}),

    parsed as (
        select
            record_id,
            landed_at,
            origin,
            {{ json_fields(readable_json("payload"), claude_mem_queue_fields()) }}
            as message
        from pending_messages
    ),

    named as (
        select
            *,
            coalesce(
                message.content_session_id, message.claude_session_id
            ) as session_id,
            {{ utc_timestamp("message.created_at_epoch") }} as occurred_at,
            {{
                utc_timestamp(
                    "coalesce(message.updated_at_epoch, message.started_processing_at_epoch, message.created_at_epoch)"
                )
            }}
            as touched_at
        from parsed
    ),

    -- How late it is in a database: when it was last
    -- written, or the newest time in its queue.
    instants as (
        select origin, origin_modified_at as instant_at
        from pending_messages
        union all
        select origin, origin_modified_at as instant_at
        from sdk_sessions
        union all
        select origin, origin_modified_at as instant_at
        from user_prompts
        union all
        select origin, origin_modified_at as instant_at
        from observations
        union all
        select origin, touched_at as instant_at
        from named
    ),

    clocks as (
        select origin, max(instant_at) as reference_at from instants group by origin
    ),

    judged as (
        select
            named.*,
            concat_ws(
                '/',
                named.session_id,
                'queue',
                coalesce(
                    nullif(named.message.tool_use_id, ''),
                    concat_ws(
                        '/',
                        named.message.id,
                        {{
                            claude_mem_hash(
                                [
                                    "named.message.tool_name",
                                    "named.message.tool_input",
                                    "named.message.tool_response",
                                    "named.message.last_user_message",
                                    "named.message.last_assistant_message",
                                ]
                            )
                        }}
                    )
                )
            ) as native_id,
            coalesce(
                named.message.status = 'processing'
                and named.touched_at < clocks.reference_at - interval '5 minutes',
                false
            ) as is_stuck
        from named
        left join clocks on named.origin = clocks.origin
        where named.message is not null
    ),

    parts as (
        select
            *,
            '0' as part,
            'assistant' as role,
            concat_ws(' ', message.tool_name, message.tool_input) as content
        from judged
        union all
        select *, '1' as part, 'tool' as role, message.tool_response as content
        from judged
        union all
        select *, '2' as part, 'user' as role, message.last_user_message as content
        from judged
        union all
        select
            *,
            '3' as part,
            'assistant' as role,
            message.last_assistant_message as content
        from judged
    )

select
    record_id,
    landed_at,
    native_id,
    part,
    session_id,
    role,
    case
        when part = '0'
        then 'tool_call'
        when part = '1'
        then 'tool_result'
        else {{ said_kind("role", "content", "false") }}
    end as event_kind,
    nullif(message.cwd, '') as cwd,
    content,
    occurred_at,
    {{
        json_object_of(
            {
                "copy_kind": "case when part = '2' then 'prompt that waits for its summary' end",
                "tool_name": "message.tool_name",
                "prompt_number": "message.prompt_number",
                "subagent_id": "message.agent_id",
                "queue_status": "case when is_stuck then 'pending' else message.status end",
                "healed_from": "case when is_stuck then message.status end",
            }
        )
    }}
    as details
from parts
where content <> ''
