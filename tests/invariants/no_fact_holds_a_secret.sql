select fact_id
from {{ ref("facts") }}
where
    {{ redact_secrets("text") }} <> text
    or {{ redact_secrets("context_description") }} <> context_description
