with
    user_prompts as (select * from {{ source("claude_mem", "user_prompts") }}),

    sdk_sessions as (select * from {{ source("claude_mem", "sdk_sessions") }}),

    rows_landed as (
        select record_id, landed_at, 'user_prompts' as source_entity, payload
        from user_prompts
        union all
        select record_id, landed_at, 'sdk_sessions' as source_entity, payload
        from sdk_sessions
    ),

    parsed as (
        select
            record_id,
            landed_at,
            source_entity,
            {{ json_fields(readable_json("payload"), claude_mem_prompt_fields()) }}
            as prompt
        from rows_landed
    ),

    named as (
        select
            record_id,
            landed_at,
            source_entity,
            prompt.id as row_id,
            prompt.prompt_number as prompt_number,
            coalesce(prompt.content_session_id, prompt.claude_session_id) as session_id,
            coalesce(prompt.prompt_text, prompt.user_prompt) as content,
            {{
                utc_timestamp(
                    "coalesce(prompt.created_at_epoch, prompt.created_at, prompt.started_at_epoch, prompt.started_at)"
                )
            }}
            as occurred_at
        from parsed
    ),

    identified as (
        select
            *,
            epoch_ms(occurred_at) as instant,
            concat_ws(
                '/',
                session_id,
                source_entity,
                row_id,
                {{ claude_mem_hash(["content"]) }}
            ) as native_id
        from named
        where content <> ''
    ),

    -- claude-mem's own rule: a session's same prompt within ten seconds is one that
    -- several hooks handed in. Sightings of one row are no repeats of it.
    compared as (
        select
            *,
            instant is not null
            and (
                native_id <> min(native_id) over (
                    partition by source_entity, session_id, content, instant
                )
                or max(instant) over (
                    partition by source_entity, session_id, content
                    order by instant
                    range between 10000 preceding and 1 preceding
                )
                is not null
            ) as is_repeated
        from identified
    )

select
    record_id,
    landed_at,
    source_entity,
    native_id,
    session_id,
    prompt_number,
    content,
    occurred_at,
    case
        when source_entity = 'sdk_sessions'
        then 'prompt that opened the session'
        when is_repeated
        then 'prompt handed in again'
    end as copy_kind
from compared
