with
    rollouts as (select * from {{ source("codex", "rollouts") }}),

    heads as ({{ codex_heads("rollouts") }})

select
    session_id,
    started_at,
    cwd,
    git_branch,
    git_remote,
    cli_version,
    forked_from_id,
    parent_id,
    is_subagent
from heads
where head_number = 1
