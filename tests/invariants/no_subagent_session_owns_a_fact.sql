select fact_sources.event_id, fact_sources.fact_id
from {{ ref("fact_sources") }} as fact_sources
inner join
    {{ ref("int_events_keyed") }} as keys on fact_sources.event_id = keys.event_id
where keys.is_subagent
