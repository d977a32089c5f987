with
    statements as (select * from {{ ref("stg_openclaw__memory_statements") }}),

    changes as ({{ memory_changes("openclaw", "statements") }})

select *
from changes
