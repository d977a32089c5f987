with
    rows_landed as (select * from {{ source("lethe", "events") }}),

    parsed as (
        select
            record_id,
            landed_at,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("event")) }} as event
        from rows_landed
    ),

    numbered as (
        select *, {{ newest_state("event.event_id") }} as state_number from parsed
    )

select
    event.event_id as event_id,
    nullif(event.session_id, '') as session_id,
    nullif(event.project_id, '') as project_id,
    nullif(event.parent_event_id, '') as parent_event_id,
    event.event_type as event_type,
    coalesce(nullif(event.content, ''), event.task_title, '') as content,
    try_cast(event.confidence as double) as confidence,
    event.tags as tags,
    event.task_title as task_title,
    event.task_status as task_status,
    {{ lethe_time("event.status_changed_at") }} as status_changed_at,
    {{ lethe_time("event.human_reviewed_at") }} as human_reviewed_at,
    event.reviewer_id as reviewer_id,
    event.thread_id as thread_id,
    {{ lethe_time("event.created_at") }} as created_at,
    state_number = 1 as is_newest,
    record_id,
    landed_at
from numbered
