select fact_id from {{ ref("facts") }} where {{ redact_secrets("text") }} <> text
