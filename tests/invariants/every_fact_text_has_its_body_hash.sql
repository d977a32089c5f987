select fact_id, body_hash
from {{ ref("facts") }}
where {{ sha256_hex("text") }} is distinct from body_hash
