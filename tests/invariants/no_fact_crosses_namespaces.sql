select
    fact_sources.event_id,
    facts.fact_id,
    facts.namespace,
    keys.namespace as event_namespace
from {{ ref("fact_sources") }} as fact_sources
inner join {{ ref("facts") }} as facts on fact_sources.fact_id = facts.fact_id
inner join
    {{ ref("int_events_keyed") }} as keys on fact_sources.event_id = keys.event_id
where facts.namespace is distinct from keys.namespace
