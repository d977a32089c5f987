with
    session_index as (select * from {{ source("openclaw", "session_index") }}),

    session_files as (select * from {{ source("openclaw", "session_files") }}),

    transcript_heads as (
        select container as session_id, {{ json_string("payload", "$.cwd") }} as cwd
        from {{ source("openclaw", "entries") }}
        where contains(left(payload, 40), '"session"') and json_valid(payload)
    ),

    keys as (
        select
            {{ json_string("payload", "$.entry.sessionId") }} as session_id,
            {{ json_string("payload", "$.key") }} as session_key
        from session_index
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

    -- A session that nobody but a machine ever spoke to was started by one, key or no
    -- key.
    prompts as (
        select
            container as session_id,
            coalesce(
                {{ json_string("payload", "$.message.content[0].text") }},
                {{ json_string("payload", "$.message.content") }},
                ''
            ) as prompt
        from {{ source("openclaw", "entries") }}
        where contains(payload, '"role":"user"') and json_valid(payload)
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
        from prompts
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
    )

select
    session_ids.session_id,
    keyed.session_key,
    coalesce(
        {{ first_match("lower(keyed.session_key)", "^agent:([^:]+):") }},
        foldered.agent_id
    ) as agent_id,
    case
        when keyed.session_key is null
        then prompted.trigger_kind
        else {{ trigger_kind("keyed.session_key") }}
    end as trigger_kind,
    headed.cwd
from session_ids
left join keyed on session_ids.session_id = keyed.session_id
left join foldered on session_ids.session_id = foldered.session_id
left join headed on session_ids.session_id = headed.session_id
left join prompted on session_ids.session_id = prompted.session_id
where session_ids.session_id is not null
