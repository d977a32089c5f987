select facts.fact_id, facts.capture_count, count(fact_sources.event_id) as source_count
from {{ ref("facts") }} as facts
left join
    {{ ref("fact_sources") }} as fact_sources on facts.fact_id = fact_sources.fact_id
group by facts.fact_id, facts.capture_count
having
    count(fact_sources.event_id) <> facts.capture_count
    or count(*) filter (where fact_sources.relation = 'first') <> 1
