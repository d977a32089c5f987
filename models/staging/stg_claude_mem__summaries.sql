with
    rows_landed as (select * from {{ source("claude_mem", "session_summaries") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields(readable_json("payload"), claude_mem_summary_fields()) }}
            as summary
        from rows_landed
    ),

    named as (
        select
            *,
            coalesce(
                summary.memory_session_id, summary.sdk_session_id
            ) as memory_session_id,
            nullif(
                concat_ws(
                    chr(10),
                    'Request: ' || nullif(summary.request, ''),
                    'Investigated: ' || nullif(summary.investigated, ''),
                    'Learned: ' || nullif(summary.learned, ''),
                    'Completed: ' || nullif(summary.completed, ''),
                    'Next steps: ' || nullif(summary.next_steps, ''),
                    'Notes: ' || nullif(summary.notes, '')
                ),
                ''
            ) as content
        from parsed
    )

select
    record_id,
    landed_at,
    concat_ws(
        '/',
        memory_session_id,
        'summary',
        summary.id,
        {{ claude_mem_hash(["content"]) }}
    ) as native_id,
    memory_session_id,
    content,
    {{ utc_timestamp("coalesce(summary.created_at_epoch, summary.created_at)") }}
    as occurred_at,
    summary.project as project_name,
    nullif(summary.merged_into_project, '') as merged_into_project,
    {{
        json_object_of(
            {
                "files_read": "summary.files_read",
                "files_edited": "summary.files_edited",
                "prompt_number": "summary.prompt_number",
            }
        )
    }} as details
from named
where content is not null
