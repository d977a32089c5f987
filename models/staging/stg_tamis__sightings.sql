with
    sightings as (
        {{
            every_row(
                [
                    "stg_claude_code__events",
                    "stg_openclaw__events",
                    "stg_hive_mind__events",
                    "stg_codex__events",
                    "stg_claude_mem__events",
                    "stg_mem0__events",
                    "stg_lethe__events",
                    "stg_dream_facts__events",
                    "stg_mcp_memory__events",
                    "stg_letta__events",
                    "stg_basic_memory__events",
                    "stg_aider__events",
                    "stg_specstory__events",
                    "stg_claude_code__history_events",
                    "stg_claude_code__memory_events",
                    "stg_openclaw__memory_events",
                    "stg_hive_mind__archived_items",
                ]
            )
        }}
    )

select *
from sightings
