-- What an operation opened again may have no sighting of its own: the operation is
-- its source.
select facts.fact_id, facts.capture_count, count(fact_sources.event_id) as source_count
from {{ ref("facts") }} as facts
left join
    {{ ref("fact_sources") }} as fact_sources on facts.fact_id = fact_sources.fact_id
where
    facts.capture_count > 0
    or facts.fact_id not in (
        select replacement_fact_id
        from {{ ref("fact_corrections") }}
        where replacement_fact_id is not null
    )
group by facts.fact_id, facts.capture_count
having
    count(fact_sources.event_id) <> facts.capture_count
    or count(*) filter (where fact_sources.relation = 'first') <> 1
