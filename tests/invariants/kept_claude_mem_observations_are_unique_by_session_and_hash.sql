-- The hash is computed anew, since stored ones are random, old or missing; where there
-- is none, statements of different texts must not have been taken for one.
with
    observations as (
        select
            event_id,
            {{ json_string("metadata", "$.memory_session_id") }} as memory_session_id,
            {{ json_string("metadata", "$.content_hash") }} as content_hash
        from {{ ref("stg_claude_mem__events") }}
        where source_entity = 'observations' and part = '0'
    ),

    kept as (
        select distinct
            observations.event_id,
            observations.memory_session_id,
            observations.content_hash,
            verdicts.namespace,
            verdicts.project_key,
            verdicts.fact_id,
            verdicts.body_hash
        from observations
        inner join
            {{ ref("int_events_deduplicated") }} as verdicts
            on observations.event_id = verdicts.event_id
        where verdicts.fact_id is not null
    )

select min(fact_id) as fact_id, memory_session_id, content_hash
from kept
where content_hash is not null
group by namespace, project_key, memory_session_id, content_hash
having count(distinct fact_id) > 1
union all
select fact_id, null as memory_session_id, null as content_hash
from kept
where content_hash is null
group by fact_id
having count(distinct body_hash) > 1
