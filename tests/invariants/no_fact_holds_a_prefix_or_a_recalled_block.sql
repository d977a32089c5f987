select fact_id from {{ ref("facts") }} where {{ is_wrapped("text") }}
