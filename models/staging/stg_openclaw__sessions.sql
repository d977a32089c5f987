with
    session_index as (select * from {{ source("openclaw", "session_index") }}),

    session_files as (select * from {{ source("openclaw", "session_files") }}),

    nodes as (select * from {{ source("openclaw", "session_nodes") }}),

    session_windows as (select * from {{ source("openclaw", "session_windows") }}),

    tombstones as (select * from {{ source("openclaw", "session_tombstones") }}),

    entries as (select * from {{ openclaw_entries() }} as transcripts),

    transcript_heads as (
        select session_id, {{ json_string("line", "$.cwd") }} as cwd
        from entries
        where contains(left(line, 40), '"session"')
    ),

    keys as (
        select
            {{ json_string("payload", "$.entry.sessionId") }} as session_id,
            {{ json_string("payload", "$.key") }} as session_key
        from session_index
        where json_valid(payload)
        union all
        select
            {{ json_string("payload", "$.current_session_id") }} as session_id,
            {{ json_string("payload", "$.session_key") }} as session_key
        from nodes
        where json_valid(payload)
        union all
        select
            {{ json_string("payload", "$.session_id") }} as session_id,
            {{ json_string("payload", "$.session_key") }} as session_key
        from session_windows
        where json_valid(payload)
    ),

    described as (
        select
            {{ json_string("payload", "$.session_key") }} as session_key,
            min({{ json_string("payload", "$.project_id") }}) as project_name,
            min({{ json_string("payload", "$.created_via") }}) as created_via
        from nodes
        where json_valid(payload)
        group by 1
    ),

    forgotten as (
        select distinct {{ json_string("payload", "$.session_id") }} as session_id
        from tombstones
        where json_valid(payload)
    ),

    -- A cron job and its run are two keys of one session: the shorter key is the job's.
    keyed as (
        select
            session_id,
            min_by(session_key, (length(session_key), session_key)) as session_key
        from keys
        group by session_id
    ),

    foldered as (
        select
            {{ json_string("payload", "$.sessionId") }} as session_id,
            min({{ json_string("payload", "$.agentId") }}) as agent_id
        from session_files
        where json_valid(payload)
        group by 1
    ),

    headed as (
        select session_id, min(cwd) as cwd from transcript_heads group by session_id
    ),

    -- A session that nobody but a machine ever spoke
    -- to was started by one, key or no key.
    prompts as (
        select
            session_id,
            coalesce(
                {{ json_string("line", "$.message.content[0].text") }},
                {{ json_string("line", "$.message.content") }},
                ''
            ) as prompt
        from entries
        where regexp_matches(line, '"role":\s*"user"')
    ),

    -- What the gateway puts before a text says nothing of who wrote it.
    unenveloped as (
        select session_id, {{ strip_envelope(trim_white_space("prompt")) }} as prompt
        from prompts
    ),

    bare_prompts as (
        select session_id, {{ strip_metadata_blocks("prompt") }} as prompt
        from unenveloped
    ),

    prompted as (
        select
            session_id,
            case
                when not bool_and({{ machine_kind("prompt") }} is not null)
                then null
                when bool_or(starts_with(prompt, '[cron:'))
                then 'cron'
                else 'heartbeat'
            end as trigger_kind
        from bare_prompts
        group by session_id
    ),

    session_ids as (
        select session_id
        from keyed
        union
        select session_id
        from foldered
        union
        select session_id
        from headed
        union
        select session_id
        from forgotten
    )

select
    session_ids.session_id,
    keyed.session_key,
    coalesce({{ session_agent("keyed.session_key") }}, foldered.agent_id) as agent_id,
    case
        when keyed.session_key is null
        then prompted.trigger_kind
        else
            coalesce(
                {{ trigger_kind("keyed.session_key") }},
                case when described.created_via = 'cron' then 'cron' end
            )
    end as trigger_kind,
    described.created_via = 'spawn' as is_subagent,
    described.project_name,
    forgotten.session_id is not null as is_forgotten,
    headed.cwd
from session_ids
left join keyed on session_ids.session_id = keyed.session_id
left join foldered on session_ids.session_id = foldered.session_id
left join headed on session_ids.session_id = headed.session_id
left join prompted on session_ids.session_id = prompted.session_id
left join described on keyed.session_key = described.session_key
left join forgotten on session_ids.session_id = forgotten.session_id
where session_ids.session_id is not null
