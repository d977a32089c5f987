select fact_id, t_invalid, expired_at, superseded_by
from {{ ref("facts") }}
where
    is_current
    and (t_invalid is not null or expired_at is not null)
    or not is_current
    and expired_at is null
    or t_invalid <= t_valid
    or superseded_by = fact_id
