select fact_id, project_key
from {{ ref("facts") }}
where coalesce(trim(project_key), '') = ''
