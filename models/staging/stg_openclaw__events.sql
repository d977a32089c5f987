with
    lines as (select * from {{ openclaw_entries() }} as transcripts),

    hook_events as (select * from {{ ref("stg_openclaw__hook_events") }}),

    pending_inputs as (select * from {{ ref("stg_openclaw__pending_inputs") }}),

    parsed as (
        select
            record_id,
            session_id,
            landed_at,
            source_entity,
            line_position,
            line_key,
            {{ json_fields("line", openclaw_fields()) }} as entry
        from lines
    ),

    entries as (
        select
            record_id,
            landed_at,
            session_id,
            source_entity,
            line_position,
            coalesce({{ native_id("entry.id") }}, line_key) as native_id,
            entry.parentid as parent_native_id,
            entry.type as entry_type,
            entry.message.role as role,
            entry.message.provider as provider,
            entry.message.model as model,
            entry.message.toolname as tool_name,
            entry.cwd as cwd,
            {{ utc_timestamp("coalesce(entry.timestamp, entry.message.timestamp)") }}
            as occurred_at,
            entry.message.content as message_content,
            coalesce(entry.summary, entry.content, entry.message.output) as line_text
        from parsed
    ),

    sessions as (select * from {{ ref("stg_openclaw__sessions") }}),

    itemised as (
        select
            *,
            case
                when role in ('toolResult', 'bashExecution')
                then
                    [
                        json_object(
                            'type',
                            'tool_result',
                            'content',
                            coalesce(message_content, to_json(line_text))
                        )
                    ]
                else {{ content_items("message_content", "line_text") }}
            end as items
        from entries
        where
            entry_type in ('message', 'custom_message', 'compaction', 'branch_summary')
    ),

    exploded as (
        select *, {{ block_fields("item") }} as block
        from {{ each_item("itemised", "items", "item", "item_number") }}
    ),

    texts as (
        select *, {{ queued_messages(block_text("block")) }} as messages from exploded
    ),

    messages as (
        select
            *,
            case
                when block.type = 'tool_result'
                then 'tool'
                when block.type = 'thinking'
                then 'reasoning'
                else coalesce(role, 'system')
            end as speaker
        from {{ each_item("texts", "messages", "content", "message_number") }}
    ),

    -- What the gateway puts before a text says nothing of who wrote it.
    unenveloped as (
        select
            record_id,
            native_id,
            session_id,
            item_number,
            message_number,
            occurred_at,
            line_position,
            case
                when speaker = 'user'
                then {{ strip_envelope(trim_white_space("content")) }}
            end as asked
        from messages
    ),

    bare as (
        select *, {{ strip_metadata_blocks("asked") }} as bare_text from unenveloped
    ),

    asked as (
        select
            * exclude (asked, bare_text),
            case
                when asked is not null then {{ answered_as("bare_text") }}
            end as started_by
        from bare
    ),

    -- What a machine asked for goes on until the next prompt; a person asks for a turn.
    counted as (
        select
            *,
            count(started_by) over (
                partition by session_id
                order by occurred_at, line_position, item_number, message_number
            ) as prompt_number
        from asked
    ),

    answered as (
        select
            *,
            max(started_by) over (partition by session_id, prompt_number) as answers_to
        from counted
    ),

    machine_runs as (
        select record_id, native_id, item_number, message_number, answers_to
        from answered
        where answers_to <> 'turn'
    ),

    triggered as (
        select messages.*, machine_runs.answers_to
        from messages
        left join
            machine_runs
            on messages.record_id = machine_runs.record_id
            and messages.native_id is not distinct from machine_runs.native_id
            and messages.item_number = machine_runs.item_number
            and messages.message_number = machine_runs.message_number
    ),

    events as (
        select
            {{
                event_id(
                    "'openclaw'",
                    "native_id",
                    "triggered.session_id",
                    "speaker",
                    openclaw_part(),
                )
            }} as event_id,
            'openclaw' as source_system,
            source_entity,
            coalesce(native_id, record_id) as native_id,
            {{ openclaw_part() }} as part,
            parent_native_id,
            session_key,
            triggered.session_id,
            null::varchar as turn_id,
            agent_id,
            {{ user_id() }} as user_id,
            speaker as role,
            case
                when block.type = 'toolCall'
                then 'tool_call'
                when block.type = 'tool_result'
                then 'tool_result'
                when entry_type in ('compaction', 'branch_summary')
                then 'summary'
                when entry_type = 'custom_message' or block.type = 'thinking'
                then 'system'
                else
                    {{
                        said_kind(
                            "speaker",
                            "content",
                            "(trigger_kind is not null or answers_to is not null)",
                        )
                    }}
            end as event_kind,
            coalesce(trigger_kind, answers_to) as trigger_kind,
            sessions.cwd,
            null::varchar as git_branch,
            case when sessions.is_forgotten then null else content end as content,
            occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "block_type": "block.type",
                        "erased": "case when sessions.is_forgotten then true end",
                        "is_subagent": "case when sessions.is_subagent then true end",
                        "project_name": "sessions.project_name",
                        "copy_kind": "case when provider = 'openclaw' and model= 'delivery-mirror' then 'delivery mirror' end",
                        "tool_name": "tool_name",
                    }
                )
            }}
            as metadata
        from triggered
        left join sessions on triggered.session_id = sessions.session_id
    )

select *
from events
union all
select *
from hook_events
union all
select *
from pending_inputs
