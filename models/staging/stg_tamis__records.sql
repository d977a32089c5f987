with
    claude_code_entries as (select * from {{ source("claude_code", "entries") }}),

    claude_code_history as (select * from {{ source("claude_code", "history") }}),

    claude_code_memory_files as (
        select * from {{ source("claude_code", "memory_files") }}
    ),

    openclaw_entries as (select * from {{ source("openclaw", "entries") }}),

    openclaw_memory_files as (select * from {{ source("openclaw", "memory_files") }}),

    hive_mind_frames as (select * from {{ source("hive_mind", "memory_frames") }}),

    records as (
        {{ record_envelope("claude_code_entries", "claude_code__entries", "$.type") }}
        union all
        {{ record_envelope("claude_code_history", "claude_code__history") }}
        union all
        {{ record_envelope("claude_code_memory_files", "claude_code__memory_files") }}
        union all
        {{ record_envelope("openclaw_memory_files", "openclaw__memory_files") }}
        union all
        {{ record_envelope("openclaw_entries", "openclaw__entries", "$.type") }}
        union all
        {{
            record_envelope(
                "hive_mind_frames", "hive_mind__memory_frames", "$.frame_type"
            )
        }}
    )

select *
from records
