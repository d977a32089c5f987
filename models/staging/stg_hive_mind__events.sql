with
    rows_landed as (select * from {{ source("hive_mind", "memory_frames") }}),

    read_rows as (
        select
            record_id, container, landed_at, {{ readable_json("payload") }} as row_json
        from rows_landed
    ),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            {{ json_fields("row_json", hive_mind_fields()) }} as frame
        from read_rows
    ),

    frames as (
        select
            record_id,
            landed_at,
            -- A frame's number is not unique, since every mind counts from one, and a
            -- copy or an
            -- import can carry all of its other marks: only the content tells such
            -- frames apart.
            concat_ws(
                '/',
                frame.gop_id,
                coalesce(frame.id, container),
                frame.created_at,
                left({{ sha256_hex("coalesce(frame.content, '')") }}, 16)
            ) as native_id,
            frame.gop_id as session_id,
            frame.base_frame_id as parent_native_id,
            frame.frame_type as frame_type,
            frame.importance as importance,
            frame.source as frame_source,
            frame.access_count as stored_access_count,
            frame.content as content,
            {{
                first_match(
                    "frame.content",
                    "^\\s*\\[(?:hm|mind-rawturn|wiki-synth) ([^\\]]*)\\]",
                )
            }} as header,
            {{ first_match("frame.content", "^\\s*\\[(hm|mind-rawturn|wiki-synth) ") }}
            as header_kind,
            {{ utc_timestamp("frame.created_at") }} as occurred_at
        from parsed
    ),

    headed as (
        select
            *,
            {{ header_token("header", "session") }} as session_key,
            {{ header_token("header", "src") }} as captured_by,
            {{ header_token("header", "event") }} as hook_event,
            {{ header_token("header", "speaker") }} as speaker,
            coalesce(
                {{ header_token("header", "project") }},
                {{ header_token("header", "ws") }}
            ) as project_name
        from frames
    ),

    spoken as (
        select
            *,
            case
                when hook_event = 'user-prompt-submit' or speaker = 'user'
                then 'user'
                when hook_event = 'stop' or speaker = 'assistant'
                then 'assistant'
            end as role,
            {{ trigger_kind("session_key") }} as trigger_kind
        from headed
    ),

    events as (
        select
            {{ event_id("'hive_mind'", "native_id", part="'0'") }} as event_id,
            'hive_mind' as source_system,
            'memory_frames' as source_entity,
            native_id,
            '0' as part,
            parent_native_id,
            session_key,
            session_id,
            null::varchar as turn_id,
            {{ first_match("lower(session_key)", "^agent:([^:]+):") }} as agent_id,
            {{ user_id() }} as user_id,
            role,
            case
                when header_kind = 'wiki-synth'
                then 'summary'
                when hook_event in ('session-start', 'session-end', 'pre-compact')
                then 'system'
                when hook_event = 'pre-tool-use'
                then 'tool_call'
                when hook_event = 'post-tool-use'
                then 'tool_result'
                when role is null
                then 'memory'
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
                        "captured_by": "captured_by",
                        "project_name": "project_name",
                        "importance": "importance",
                        "frame_source": "frame_source",
                        "frame_type": "frame_type",
                        "stored_access_count": "stored_access_count",
                    }
                )
            }} as metadata
        from spoken
    )

select *
from events
