with
    sdk_sessions as (select * from {{ source("claude_mem", "sdk_sessions") }}),

    pending_messages as (select * from {{ source("claude_mem", "pending_messages") }}),

    parsed as (
        select
            record_id,
            coalesce(origin_modified_at, '1970-01-01'::timestamp) as modified_at,
            {{ json_fields(readable_json("payload"), claude_mem_prompt_fields()) }}
            as session
        from sdk_sessions
    ),

    named as (
        select
            coalesce(
                session.content_session_id, session.claude_session_id
            ) as session_id,
            coalesce(
                session.memory_session_id, session.sdk_session_id
            ) as memory_session_id,
            nullif(trim(session.project), '') as project_name,
            session.platform_source as platform_source,
            row_number() over (
                partition by
                    coalesce(session.content_session_id, session.claude_session_id),
                    coalesce(session.memory_session_id, session.sdk_session_id)
                order by modified_at desc, record_id
            ) as newest_rank
        from parsed
    ),

    queued as (
        select
            {{ json_fields(readable_json("payload"), claude_mem_queue_fields()) }}
            as message
        from pending_messages
    ),

    -- A session belongs where it began.
    folders as (
        select
            coalesce(
                message.content_session_id, message.claude_session_id
            ) as session_id,
            min_by(
                message.cwd, (message.created_at_epoch, message.id, message.cwd)
            ) as cwd
        from queued
        where message.cwd <> ''
        group by 1
    )

select
    coalesce(named.session_id, folders.session_id) as session_id,
    named.memory_session_id,
    named.project_name,
    named.platform_source,
    folders.cwd
from named
full outer join folders on named.session_id = folders.session_id
where coalesce(named.newest_rank, 1) = 1
