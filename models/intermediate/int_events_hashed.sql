with events as (select * from {{ ref("int_events_redacted") }})

select
    event_id,
    case when body <> '' then {{ sha256_hex("body") }} end as body_hash,
    length(body) as body_length
from events
