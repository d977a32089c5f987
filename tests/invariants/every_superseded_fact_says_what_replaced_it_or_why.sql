select facts.fact_id, facts.superseded_by
from {{ ref("facts") }} as facts
left join
    {{ ref("fact_corrections") }} as fact_corrections
    on facts.fact_id = fact_corrections.target_fact_id
where
    not facts.is_current
    and facts.superseded_by is null
    and fact_corrections.reason is null
