with
    lines as (select * from {{ source("claude_code", "history") }}),

    read_lines as (
        select record_id, landed_at, {{ readable_json("payload") }} as line from lines
    ),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields("line", claude_code_prompt_fields()) }} as prompt
        from read_lines
    ),

    typed as (
        select
            record_id,
            landed_at,
            prompt.sessionid as session_id,
            prompt.project as cwd,
            {{ with_pasted_texts("prompt.display", "prompt.pastedcontents") }}
            as content,
            {{ utc_timestamp("prompt.timestamp") }} as occurred_at
        from parsed
        where prompt.display is not null
    ),

    -- A bare command, and what a shell was told, speak to the program.
    kinds as (
        select
            *,
            case
                when regexp_matches(content, '^\s*(?:/[a-z][a-z0-9:_-]*\s*$|!)')
                then 'prompt'
                else {{ said_kind("'user'", "content", "false") }}
            end as event_kind
        from typed
    )

-- The session's own file says the same, while it is there.
select
    {{ event_id("'claude_code'", "record_id", role="'user'", part="'0'") }} as event_id,
    'claude_code' as source_system,
    'history' as source_entity,
    record_id as native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    'user' as role,
    event_kind,
    null::varchar as trigger_kind,
    cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{ json_object_of({"copy_kind": "'prompt history'"}) }} as metadata
from kinds
