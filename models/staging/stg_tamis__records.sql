with
    claude_code_entries as (select * from {{ source("claude_code", "entries") }}),

    openclaw_entries as (select * from {{ source("openclaw", "entries") }}),

    hive_mind_frames as (select * from {{ source("hive_mind", "memory_frames") }}),

    mcp_memory_entries as (select * from {{ source("mcp_memory", "entries") }}),

    letta_messages as (select * from {{ source("letta", "messages") }}),

    letta_blocks as (select * from {{ source("letta", "blocks") }}),

    basic_memory_notes as (select * from {{ source("basic_memory", "notes") }}),

    aider_chats as (select * from {{ source("aider", "chats") }}),

    specstory_sections as (select * from {{ source("specstory", "sections") }}),

    records as (
        {{ record_envelope("claude_code_entries", "claude_code__entries", "$.type") }}
        union all
        {{ record_envelope("openclaw_entries", "openclaw__entries", "$.type") }}
        union all
        {{
            record_envelope(
                "hive_mind_frames", "hive_mind__memory_frames", "$.frame_type"
            )
        }}
        union all
        {{ record_envelope("mcp_memory_entries", "mcp_memory__entries") }}
        union all
        {{ record_envelope("letta_messages", "letta__messages", "$.message.role") }}
        union all
        {{ record_envelope("letta_blocks", "letta__blocks") }}
        union all
        {{ record_envelope("basic_memory_notes", "basic_memory__notes") }}
        union all
        {{ record_envelope("aider_chats", "aider__chats") }}
        union all
        {{ record_envelope("specstory_sections", "specstory__sections") }}
    )

select *
from records
