select record_id, count(*) as landing_count
from {{ ref("stg_tamis__records") }}
group by record_id
having count(*) > 1
