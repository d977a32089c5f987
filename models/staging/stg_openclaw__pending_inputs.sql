-- Messages that the gateway accepted and that wait for their turn: the
-- transcript holds them once they are delivered, so here they are no turns.
with
    landed as (select * from {{ source("openclaw", "pending_inputs") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{
                json_fields(
                    readable_json("payload"),
                    {
                        "input_id": "VARCHAR",
                        "session_key": "VARCHAR",
                        "session_id": "VARCHAR",
                        "message_json": "VARCHAR",
                        "state": "VARCHAR",
                        "accepted_at": "VARCHAR",
                        "consumed_event_id": "VARCHAR",
                    },
                )
            }} as input
        from landed
    ),

    messages as (
        select
            record_id,
            landed_at,
            input,
            {{ native_id("input.input_id") }} as native_id,
            input.session_id as session_id,
            {{
                json_fields(
                    readable_json("input.message_json"),
                    {"role": "VARCHAR", "content": "JSON"},
                )
            }} as message
        from parsed
    ),

    texts as (
        select
            *,
            coalesce(message.role, 'user') as role,
            case
                when json_type(message.content) = 'ARRAY'
                then {{ json_strings("message.content", "$[*].text") }}
                else {{ json_string("message.content", "$") }}
            end as content
        from messages
    )

select
    {{ event_id("'openclaw'", "native_id", part="'0'") }} as event_id,
    'openclaw' as source_system,
    'pending_inputs' as source_entity,
    coalesce(native_id, record_id) as native_id,
    '0' as part,
    null::varchar as parent_native_id,
    input.session_key as session_key,
    session_id,
    null::varchar as turn_id,
    {{ session_agent("input.session_key") }} as agent_id,
    {{ user_id() }} as user_id,
    role,
    'prompt' as event_kind,
    {{ trigger_kind("input.session_key") }} as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    content,
    {{ utc_timestamp("input.accepted_at") }} as occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "input_state": "input.state",
                "delivered_as": "input.consumed_event_id",
            }
        )
    }} as metadata
from texts
