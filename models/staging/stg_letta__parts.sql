with
    messages as (select * from {{ source("letta", "messages") }}),

    read_messages as (
        select record_id, landed_at, {{ readable_json("payload") }} as message_json
        from messages
    ),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields("message_json", letta_fields()) }} as entry
        from read_messages
    ),

    itemised as (
        select
            record_id,
            landed_at,
            entry.agent as agent,
            entry.message as message,
            json_array_length(entry.message.tool_calls) > 0 as has_calls,
            {{
                joined_lists(
                    [
                        "coalesce("
                        ~ content_items("entry.message.content")
                        ~ ", [])",
                        json_items("entry.message.tool_calls"),
                        json_items("entry.message.approvals"),
                        "case when json_array_length(entry.message.content) > 0 then [] else "
                        ~ json_items("entry.message.tool_returns")
                        ~ " end",
                    ]
                )
            }}
            as items
        from parsed
    ),

    parts as (
        select *, {{ json_fields("item", letta_part_fields()) }} as part
        from {{ each_item("itemised", "items", "item", "item_number") }}
    ),

    -- What a tool was given, and what a server said through the user's mouth, is JSON
    -- in a text.
    opened as (
        select
            *,
            case
                when part.function.name = 'send_message'
                then {{ readable_json("part.function.arguments") }}
                when message.role = 'user' and starts_with(ltrim(part.text), '{')
                then {{ readable_json("part.text") }}
            end as wrapped
        from parts
    ),

    unwrapped as (
        select
            *,
            {{ json_string("wrapped", "$.type") }} as wrapped_type,
            {{ json_string("wrapped", "$.message") }} as wrapped_message
        from opened
    ),

    named as (
        select
            *,
            case
                when part.reasoning is not null
                then 'reasoning'
                when part.function.name = 'send_message' and wrapped_message is not null
                then 'said'
                when part.function.name is not null
                then 'call'
                when part.func_response is not null or message.role = 'tool'
                then 'result'
                when part.reason is not null
                then 'said'
                when
                    message.role = 'user'
                    and wrapped_type in ('login', 'heartbeat', 'system_alert')
                then 'system'
                -- Older agents speak through a tool, and what they write beside a
                -- call is a thought.
                when
                    message.role = 'assistant'
                    and has_calls
                    and agent.type is distinct from 'letta_v1_agent'
                then 'reasoning'
                when message.role in ('user', 'assistant', 'approval')
                then 'said'
                else 'system'
            end as part_kind
        from unwrapped
    )

select
    record_id,
    landed_at,
    agent.key as agent_key,
    agent.name as agent_name,
    message.model as model,
    part.function.name as tool_name,
    part_kind,
    item_number,
    case
        when part_kind in ('reasoning', 'system')
        then replace(part_kind, 'system', message.role)
        when part_kind = 'result'
        then 'tool'
        when part_kind = 'said' and (message.role = 'user' or part.reason is not null)
        then 'user'
        else 'assistant'
    end as role,
    case
        when
            part_kind = 'said'
            and (part.function.name is not null or wrapped_type = 'user_message')
        then coalesce(wrapped_message, part.text)
        else
            coalesce(
                part.reasoning,
                nullif(concat_ws(' ', part.function.name, part.function.arguments), ''),
                part.func_response,
                part.reason,
                part.text
            )
    end as content,
    {{ utc_timestamp("message.created_at") }} as occurred_at,
    concat_ws(
        '/',
        agent.key,
        message.created_at,
        message.role,
        left(
            {{
                id_from(
                    [
                        "message.content",
                        "message.tool_calls",
                        "message.approvals",
                        "message.tool_returns",
                    ]
                )
            }},
            16
        )
    ) as native_id
from named
