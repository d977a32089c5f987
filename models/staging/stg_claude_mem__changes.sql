with
    statements as (select * from {{ ref("stg_claude_mem__statements") }}),

    summaries as (select * from {{ ref("stg_claude_mem__summaries") }}),

    merged as (
        select native_id, source_entity, merged_into_project
        from statements
        where merged_into_project is not null
        union
        select native_id, 'session_summaries' as source_entity, merged_into_project
        from summaries
        where merged_into_project is not null
    )

select
    {{ id_from(["'claude_mem'", "native_id", "merged_into_project"]) }} as change_id,
    'claude_mem' as source_system,
    native_id as target_native_id,
    null::varchar as replacement_native_id,
    'correct' as kind,
    'its worktree was merged into another project' as reason,
    null::varchar as actor,
    null::timestamp as occurred_at,
    {{
        json_object_of(
            {"source_entity": "source_entity", "project_name": "merged_into_project"}
        )
    }} as metadata
from merged
