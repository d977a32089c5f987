select
    min(fact_id) as fact_id, namespace, project_key, body_hash, count(*) as fact_count
from {{ ref("facts") }}
where is_current
group by namespace, project_key, body_hash
having count(*) > 1
