with
    files as (select * from {{ source("claude_code", "memory_files") }}),

    lines as ({{ memory_lines("files") }}),

    statements as ({{ memory_statements("lines") }})

select *, {{ memory_id() }} as native_id
from statements
