with
    statements as (select * from {{ ref("stg_claude_code__memory_statements") }}),

    changes as ({{ memory_changes("claude_code", "statements") }})

select *
from changes
