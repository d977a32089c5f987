-- What the gateway told its hooks of messages: the same turns as
-- in the transcript, as the channel carried them. The session key
-- stands for the session, which a hook isn't told.
with
    landed as (select * from {{ source("openclaw", "hook_events") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields(readable_json("payload"), openclaw_hook_fields()) }} as hook
        from landed
    ),

    messages as (
        select
            record_id,
            landed_at,
            hook.action as action,
            hook.sessionkey as session_key,
            {{ trigger_kind("hook.sessionkey") }} as trigger_kind,
            case
                when hook.action = 'received'
                then 'user'
                when hook.action = 'sent'
                then 'assistant'
                else 'system'
            end as role,
            coalesce(
                hook.context.content,
                hook.context.transcript,
                hook.context.bodyforagent,
                hook.context.body
            ) as content,
            {{ utc_timestamp("coalesce(hook.timestamp, hook.context.timestamp)") }}
            as occurred_at,
            hook.context.success is not distinct from false as is_failed,
            hook.context as context
        from parsed
        where hook.type = 'message'
    )

select
    {{ event_id("'openclaw'", "null::varchar", session_id="session_key", part="'0'") }}
    as event_id,
    'openclaw' as source_system,
    'hook_events' as source_entity,
    record_id as native_id,
    '0' as part,
    null::varchar as parent_native_id,
    session_key,
    session_key as session_id,
    null::varchar as turn_id,
    {{ session_agent("session_key") }} as agent_id,
    {{ user_id() }} as user_id,
    role,
    -- What was not delivered was said to nobody; what a
    -- model made of a message is no one's words.
    case
        when role = 'system' or is_failed
        then 'system'
        else {{ said_kind("role", "content", "trigger_kind is not null") }}
    end as event_kind,
    trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "hook_action": "action",
                "message_id": "context.messageid",
                "channel_id": "context.channelid",
                "conversation_id": "context.conversationid",
                "delivery_error": "context.error",
            }
        )
    }} as metadata
from messages
where content is not null
