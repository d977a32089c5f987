with
    rows_landed as (select * from {{ source("lethe", "sessions") }}),

    parsed as (
        select
            record_id,
            landed_at,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("session")) }}
            as session
        from rows_landed
    ),

    numbered as (
        select *, {{ newest_state("session.session_id") }} as state_number from parsed
    )

select
    session.session_id as session_id,
    session.agent_id as agent_id,
    session.project_id as project_id,
    nullif(session.session_key, '') as session_key,
    session.state as state,
    session.summary as summary,
    {{ lethe_time("session.started_at") }} as started_at,
    {{ lethe_time("session.last_heartbeat_at") }} as last_heartbeat_at,
    {{ lethe_time("session.ended_at") }} as ended_at,
    record_id,
    landed_at
from numbered
where state_number = 1
