with
    claude_code_entries as (select * from {{ source("claude_code", "entries") }}),

    openclaw_entries as (select * from {{ source("openclaw", "entries") }}),

    openclaw_rows as (select * from {{ source("openclaw", "transcript_events") }}),

    openclaw_events as (
        select
            record_id,
            container,
            origin,
            position,
            origin_modified_at,
            landed_at,
            landing_id,
            coalesce(
                {{ json_string(readable_json("payload"), "$.event_json") }},
                {{ json_string(readable_json("payload"), "$.event_zstd") }}
            ) as payload
        from openclaw_rows
    ),

    openclaw_archives as (
        select * from {{ source("openclaw", "transcript_archives") }}
    ),

    openclaw_hooks as (select * from {{ source("openclaw", "hook_events") }}),

    openclaw_inputs as (select * from {{ source("openclaw", "pending_inputs") }}),

    hive_mind_archive as (select * from {{ source("hive_mind", "raw_archive") }}),

    hive_mind_frames as (select * from {{ source("hive_mind", "memory_frames") }}),

    records as (
        {{ record_envelope("claude_code_entries", "claude_code__entries", "$.type") }}
        union all
        {{ record_envelope("openclaw_entries", "openclaw__entries", "$.type") }}
        union all
        {{
            record_envelope(
                "openclaw_events", "openclaw__transcript_events", "$.type"
            )
        }}
        union all
        {{ record_envelope("openclaw_archives", "openclaw__transcript_archives") }}
        union all
        {{ record_envelope("openclaw_hooks", "openclaw__hook_events", "$.type") }}
        union all
        {{ record_envelope("openclaw_inputs", "openclaw__pending_inputs") }}
        union all
        {{ record_envelope("hive_mind_archive", "hive_mind__raw_archive") }}
        union all
        {{
            record_envelope(
                "hive_mind_frames", "hive_mind__memory_frames", "$.frame_type"
            )
        }}
    )

select *
from records
