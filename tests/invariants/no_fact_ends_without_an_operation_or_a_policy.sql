select facts.fact_id, facts.t_invalid, facts.is_current
from {{ ref("facts") }} as facts
left join
    {{ ref("fact_corrections") }} as fact_corrections
    on facts.fact_id = fact_corrections.target_fact_id
    and fact_corrections.kind <> 'reopen'
    and fact_corrections.unresolved_reason is null
where
    (not facts.is_current or facts.t_invalid is not null)
    and fact_corrections.correction_id is null
