with
    answers as (select * from {{ source("git", "checkouts") }}),

    read_answers as (
        select
            record_id,
            container,
            landed_at,
            origin_modified_at,
            {{ readable_json("payload") }} as answer
        from answers
    ),

    parsed as (
        select
            *,
            {{
                json_fields(
                    "answer",
                    {
                        "cwd": "VARCHAR",
                        "top_level": "VARCHAR",
                        "common_dir": "VARCHAR",
                        "remote": "VARCHAR",
                        "is_worktree": "BOOLEAN",
                        "is_bare": "BOOLEAN",
                        "superproject": "VARCHAR",
                    },
                )
            }} as checkout
        from read_answers
    ),

    newest as (
        select
            *,
            row_number() over (
                partition by coalesce(checkout.cwd, container)
                order by origin_modified_at desc nulls last, record_id
            ) as newest_rank
        from parsed
    )

select
    coalesce(checkout.cwd, container) as cwd,
    checkout.top_level as top_level,
    checkout.common_dir as common_dir,
    checkout.remote as remote,
    checkout.superproject as superproject,
    coalesce(checkout.is_worktree, false) as is_worktree,
    record_id,
    landed_at
from newest
where newest_rank = 1
