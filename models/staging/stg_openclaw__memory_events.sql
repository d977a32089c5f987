with
    statements as (select * from {{ ref("stg_openclaw__memory_statements") }}),

    excerpts as (select * from {{ ref("stg_openclaw__session_excerpts") }}),

    noted as (
        select
            native_id,
            null::varchar as session_key,
            null::varchar as session_id,
            {{ first_match("owner", "(?:^|/)workspace-([^/]+)$") }} as agent_id,
            null::varchar as role,
            case
                when
                    {{ matches("headings", "^Session: [0-9]{4}-[0-9]{2}-[0-9]{2}\\b") }}
                then 'system'
                else 'memory'
            end as event_kind,
            statement as content,
            {{ memory_time("file_name") }} as occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "context": memory_context(),
                        "front_matter": "front_matter",
                    }
                )
            }} as metadata
        from statements
    ),

    -- The transcript itself says when: the copy was made later.
    copied as (
        select
            {{
                id_from(
                    [
                        "coalesce(session_id, container)",
                        "speaker",
                        "content",
                        "occurrence",
                    ]
                )
            }} as native_id,
            session_key,
            session_id,
            null::varchar as agent_id,
            speaker as role,
            {{ said_kind("speaker", "content", "false") }} as event_kind,
            content,
            null::timestamp as occurred_at,
            landed_at,
            record_id,
            {{ json_object_of({"copy_kind": "'session excerpt'"}) }} as metadata
        from excerpts
    ),

    remembered as (
        select *
        from noted
        union all
        select *
        from copied
    )

select
    {{ event_id("'openclaw'", "native_id", part="'0'") }} as event_id,
    'openclaw' as source_system,
    'memory_files' as source_entity,
    native_id,
    '0' as part,
    null::varchar as parent_native_id,
    session_key,
    session_id,
    null::varchar as turn_id,
    agent_id,
    {{ user_id() }} as user_id,
    role,
    event_kind,
    {{ trigger_kind("session_key") }} as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    metadata
from remembered
