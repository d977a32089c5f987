with
    claude_code_entries as (select * from {{ source("claude_code", "entries") }}),

    openclaw_entries as (select * from {{ source("openclaw", "entries") }}),

    hive_mind_frames as (select * from {{ source("hive_mind", "memory_frames") }}),

    claude_mem_observations as (
        select * from {{ source("claude_mem", "observations") }}
    ),

    claude_mem_session_summaries as (
        select * from {{ source("claude_mem", "session_summaries") }}
    ),

    claude_mem_user_prompts as (
        select * from {{ source("claude_mem", "user_prompts") }}
    ),

    claude_mem_sdk_sessions as (
        select * from {{ source("claude_mem", "sdk_sessions") }}
    ),

    claude_mem_pending_messages as (
        select * from {{ source("claude_mem", "pending_messages") }}
    ),

    claude_mem_memory_items as (
        select * from {{ source("claude_mem", "memory_items") }}
    ),

    claude_mem_agent_events as (
        select * from {{ source("claude_mem", "agent_events") }}
    ),

    mem0_memories as (select * from {{ source("mem0", "memories") }}),

    mem0_history as (select * from {{ source("mem0", "history") }}),

    mem0_messages as (select * from {{ source("mem0", "messages") }}),

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
        {{ record_envelope("claude_mem_observations", "claude_mem__observations") }}
        union all
        {{
            record_envelope(
                "claude_mem_session_summaries", "claude_mem__session_summaries"
            )
        }}
        union all
        {{ record_envelope("claude_mem_user_prompts", "claude_mem__user_prompts") }}
        union all
        {{ record_envelope("claude_mem_sdk_sessions", "claude_mem__sdk_sessions") }}
        union all
        {{
            record_envelope(
                "claude_mem_pending_messages", "claude_mem__pending_messages"
            )
        }}
        union all
        {{ record_envelope("claude_mem_memory_items", "claude_mem__memory_items") }}
        union all
        {{ record_envelope("claude_mem_agent_events", "claude_mem__agent_events") }}
        union all
        {{ record_envelope("mem0_memories", "mem0__memories") }}
        union all
        {{ record_envelope("mem0_history", "mem0__history") }}
        union all
        {{ record_envelope("mem0_messages", "mem0__messages") }}
    )

select *
from records
