with
    events as (select event_id from {{ ref("int_events_unioned") }}),

    verdicts as (
        select event_id
        from {{ ref("fact_sources") }}
        union all
        select event_id
        from {{ ref("rejections") }}
    )

select
    coalesce(events.event_id, verdicts.event_id) as event_id,
    count(verdicts.event_id) as verdict_count
from events
full outer join verdicts on events.event_id = verdicts.event_id
group by 1
having count(verdicts.event_id) <> 1 or count(events.event_id) = 0
