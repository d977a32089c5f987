with
    changes as (
        {{
            every_row(
                [
                    "stg_basic_memory__changes",
                    "stg_claude_code__changes",
                    "stg_claude_mem__changes",
                    "stg_codex__changes",
                    "stg_dream_facts__changes",
                    "stg_hive_mind__changes",
                    "stg_lethe__changes",
                    "stg_mcp_memory__changes",
                    "stg_mem0__changes",
                    "stg_openclaw__changes",
                ]
            )
        }}
    )

select *
from changes
