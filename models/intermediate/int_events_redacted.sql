with events as (select * from {{ ref("int_events_normalized") }})

select
    event_id,
    record_id,
    steps,
    {{ redact_secrets("body") }} as body,
    {{ secret_kinds("body") }} as secret_kinds
from events
