with
    files as (select * from {{ source("openclaw", "memory_files") }}),

    lines as ({{ memory_lines("files") }}),

    -- What was said in a session stands in stg_openclaw__session_excerpts.
    marked as (
        select
            *, {{ excerpt_start() }} as excerpt_start, {{ is_excerpt() }} as is_excerpt
        from lines
    ),

    notes as (
        select * exclude (excerpt_start, is_excerpt)
        from marked
        where not (is_excerpt and line_number >= coalesce(excerpt_start, 0))
    ),

    statements as ({{ memory_statements("notes") }})

select *, {{ memory_id() }} as native_id
from statements
