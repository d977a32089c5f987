with
    claude_code_entries as (select * from {{ source("claude_code", "entries") }}),

    openclaw_entries as (select * from {{ source("openclaw", "entries") }}),

    hive_mind_frames as (select * from {{ source("hive_mind", "memory_frames") }}),

    lethe_events as (select * from {{ source("lethe", "events") }}),

    lethe_sessions as (select * from {{ source("lethe", "sessions") }}),

    lethe_ops as (select * from {{ source("lethe", "changeset_ops") }}),

    lethe_memories as (select * from {{ source("lethe", "context_memories") }}),

    dream_facts as (select * from {{ source("dream_facts", "facts") }}),

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
        {{ record_envelope("lethe_events", "lethe__events", "$.event_type") }}
        union all
        {{ record_envelope("lethe_sessions", "lethe__sessions") }}
        union all
        {{ record_envelope("lethe_ops", "lethe__changeset_ops", "$.op_type") }}
        union all
        {{ record_envelope("lethe_memories", "lethe__context_memories") }}
        union all
        {{ record_envelope("dream_facts", "dream_facts__facts") }}
    )

select *
from records
