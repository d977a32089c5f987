with
    parts as (select * from {{ ref("stg_letta__parts") }}),

    paragraphs as (select * from {{ ref("stg_letta__paragraphs") }}),

    said as (
        select
            'messages' as source_entity,
            record_id,
            landed_at,
            native_id,
            (item_number - 1)::varchar as part,
            agent_key,
            agent_name,
            role,
            case
                part_kind
                when 'call'
                then 'tool_call'
                when 'result'
                then 'tool_result'
                when 'said'
                then {{ said_kind("role", "content", "false") }}
                else 'system'
            end as event_kind,
            content,
            occurred_at,
            model,
            tool_name,
            null as label
        from parts
        where content is not null
        union all
        select
            'blocks' as source_entity,
            record_id,
            landed_at,
            native_id,
            '0' as part,
            agent_key,
            agent_name,
            null as role,
            -- What an agent is told to be is an instruction, whoever wrote it.
            case when label = 'persona' then 'prompt' else 'memory' end as event_kind,
            content,
            occurred_at,
            null as model,
            null as tool_name,
            label
        from paragraphs
    )

select
    {{ event_id("'letta'", "native_id", "agent_key") }} as event_id,
    'letta' as source_system,
    source_entity,
    native_id,
    part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    agent_key as session_id,
    null::varchar as turn_id,
    agent_name as agent_id,
    {{ user_id() }} as user_id,
    role,
    event_kind,
    null::varchar as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {"block_label": "label", "model": "model", "tool_name": "tool_name"}
        )
    }} as metadata
from said
