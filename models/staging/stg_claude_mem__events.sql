with
    statements as (select * from {{ ref("stg_claude_mem__statements") }}),

    summaries as (select * from {{ ref("stg_claude_mem__summaries") }}),

    prompts as (select * from {{ ref("stg_claude_mem__prompts") }}),

    queued_messages as (select * from {{ ref("stg_claude_mem__queued_messages") }}),

    sessions as (select * from {{ ref("stg_claude_mem__sessions") }}),

    captured as (
        select
            record_id,
            landed_at,
            source_entity,
            native_id,
            part,
            memory_session_id,
            null::varchar as own_session_id,
            role,
            event_kind,
            null::varchar as own_cwd,
            content,
            occurred_at,
            coalesce(merged_into_project, project_name) as own_project_name,
            details
        from statements
        union all
        select
            record_id,
            landed_at,
            'session_summaries' as source_entity,
            native_id,
            '0' as part,
            memory_session_id,
            null::varchar as own_session_id,
            null::varchar as role,
            'summary' as event_kind,
            null::varchar as own_cwd,
            content,
            occurred_at,
            coalesce(merged_into_project, project_name) as own_project_name,
            details
        from summaries
        union all
        select
            record_id,
            landed_at,
            source_entity,
            native_id,
            '0' as part,
            null::varchar as memory_session_id,
            session_id as own_session_id,
            'user' as role,
            {{ said_kind("'user'", "content", "false") }} as event_kind,
            null::varchar as own_cwd,
            content,
            occurred_at,
            null::varchar as own_project_name,
            {{
                json_object_of(
                    {"copy_kind": "copy_kind", "prompt_number": "prompt_number"}
                )
            }} as details
        from prompts
        union all
        select
            record_id,
            landed_at,
            'pending_messages' as source_entity,
            native_id,
            part,
            null::varchar as memory_session_id,
            session_id as own_session_id,
            role,
            event_kind,
            cwd as own_cwd,
            content,
            occurred_at,
            null::varchar as own_project_name,
            details
        from queued_messages
    ),

    owners as (
        select memory_session_id, min(session_id) as session_id
        from sessions
        where memory_session_id is not null
        group by memory_session_id
    ),

    owned as (
        select
            captured.*,
            coalesce(
                captured.own_session_id, owners.session_id, captured.memory_session_id
            ) as session_id
        from captured
        left join owners on captured.memory_session_id = owners.memory_session_id
    ),

    places as (
        select
            session_id,
            min(project_name) as project_name,
            min(platform_source) as platform_source,
            min(cwd) as cwd
        from sessions
        group by session_id
    ),

    placed as (
        select
            owned.*,
            coalesce(owned.own_cwd, places.cwd) as cwd,
            nullif(
                coalesce(nullif(trim(owned.own_project_name), ''), places.project_name),
                'unknown-project'
            ) as project_name,
            places.platform_source,
            case
                when owned.session_id like 'agent:%' then owned.session_id
            end as session_key
        from owned
        left join places on owned.session_id = places.session_id
    )

select
    {{ event_id("'claude_mem'", "native_id", session_id="memory_session_id") }}
    as event_id,
    'claude_mem' as source_system,
    source_entity,
    coalesce(native_id, record_id) as native_id,
    part,
    null::varchar as parent_native_id,
    session_key,
    session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    role,
    event_kind,
    {{ trigger_kind("session_key") }} as trigger_kind,
    cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{
        json_merged(
            "details",
            json_object_of(
                {
                    "memory_session_id": "memory_session_id",
                    "project_name": "project_name",
                    "platform_source": "platform_source",
                }
            ),
        )
    }} as metadata
from placed
