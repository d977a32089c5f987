with
    lines as (select * from {{ source("claude_code", "entries") }}),

    read_lines as (
        select record_id, container, landed_at, {{ readable_json("payload") }} as line
        from lines
    ),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            line,
            {{ json_fields("line", claude_code_fields()) }} as entry
        from read_lines
    ),

    entries as (
        select
            record_id,
            landed_at,
            coalesce(entry.sessionid, container) as session_id,
            {{ native_id("entry.uuid") }} as native_id,
            entry.parentuuid as parent_native_id,
            entry.type as entry_type,
            entry.subtype as entry_subtype,
            entry.operation as queue_operation,
            coalesce(entry.message.role, entry.type) as role,
            entry.message.id as message_id,
            coalesce(entry.message.id, entry.promptid) as turn_id,
            entry.slug as session_name,
            entry.agentid as agent_id,
            coalesce(entry.issidechain, false) as is_subagent,
            coalesce(entry.ismeta, false) as is_meta,
            coalesce(entry.iscompactsummary, false) as is_compact_summary,
            coalesce(entry.isapierrormessage, false) as is_api_error,
            entry.cwd as cwd,
            nullif(entry.gitbranch, '') as git_branch,
            entry.version as tool_version,
            {{ utc_timestamp("entry.timestamp") }} as occurred_at,
            coalesce(
                entry.message.content,
                entry.attachment.prompt,
                case
                    when json_type(line, '$.message') = 'VARCHAR'
                    then json_extract(line, '$.message')
                end
            ) as message_content,
            coalesce(entry.summary, entry.content) as line_text
        from parsed
    ),

    itemised as (
        select *, {{ content_items("message_content", "line_text") }} as items
        from entries
        where
            entry_type in ('user', 'assistant', 'summary', 'system', 'attachment')
            or queue_operation = 'enqueue'
    ),

    exploded as (
        select *, {{ block_fields("item") }} as block
        from {{ each_item("itemised", "items", "item", "item_number") }}
    ),

    -- Whoever refuses a tool call can say why: those
    -- words are the user's, not the tool's.
    answered as (
        select
            *,
            {{ block_text("block") }} as block_words,
            case
                when block.type = 'tool_result'
                then
                    {{
                        first_match(
                            block_text("block"), "(?s)the user said:\\s*\n(.+)$"
                        )
                    }}
            end as users_words
        from exploded
    ),

    texts as (
        select
            *,
            coalesce(users_words, block_words) as content,
            case
                when users_words is not null
                then 'user'
                when block.type = 'tool_result'
                then 'tool'
                when block.type = 'thinking'
                then 'reasoning'
                when queue_operation = 'enqueue' or entry_type = 'attachment'
                then 'user'
                when entry_type = 'summary'
                then 'system'
                else role
            end as speaker
        from answered
    ),

    kinds as (
        select
            *,
            case
                when block.type = 'tool_use'
                then 'tool_call'
                when block.type = 'tool_result' and users_words is null
                then 'tool_result'
                when entry_type = 'summary' or is_compact_summary
                then 'summary'
                when entry_type = 'system' or is_api_error or block.type = 'thinking'
                then 'system'
                when is_meta
                then 'prompt'
                else {{ said_kind("speaker", "content", "is_subagent") }}
            end as event_kind,
            case when queue_operation = 'enqueue' then 'queue' end as copy_kind
        from texts
    ),

    events as (
        select
            {{
                event_id(
                    "'claude_code'",
                    "native_id",
                    role="speaker",
                    part="(item_number - 1)::varchar",
                )
            }} as event_id,
            'claude_code' as source_system,
            'entries' as source_entity,
            coalesce(native_id, record_id) as native_id,
            (item_number - 1)::varchar as part,
            parent_native_id,
            null::varchar as session_key,
            session_id,
            turn_id,
            null::varchar as agent_id,
            {{ user_id() }} as user_id,
            speaker as role,
            event_kind,
            null::varchar as trigger_kind,
            cwd,
            git_branch,
            content,
            occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "block_type": "block.type",
                        "message_id": "message_id",
                        "copy_kind": "copy_kind",
                        "is_subagent": "is_subagent",
                        "subagent_id": "agent_id",
                        "session_name": "session_name",
                        "tool_version": "tool_version",
                    }
                )
            }} as metadata
        from kinds
    )

select *
from events
