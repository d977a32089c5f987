with parts as (select * from {{ ref("stg_specstory__parts") }})

select
    {{ event_id("'specstory'", "native_id", part="part_number::varchar") }} as event_id,
    'specstory' as source_system,
    'sections' as source_entity,
    native_id,
    part_number::varchar as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    role,
    case
        when is_tool
        then 'tool_call'
        when role = 'reasoning'
        then 'system'
        else {{ said_kind("role", "content", "false") }}
    end as event_kind,
    null::varchar as trigger_kind,
    cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "project_name": "folder",
                "captured_tool": "tool",
                "model": "model",
                "is_subagent": "case when is_sidechain then true end",
                "time_of": "case when is_untimed then 'session' end",
            }
        )
    }} as metadata
from parts
