with
    events as (select * from {{ ref("int_events_normalized") }}),

    redacted as (
        select
            event_id,
            record_id,
            steps,
            body as text_before,
            {{ redact_secrets("body") }} as body
        from events
    )

select
    event_id,
    record_id,
    steps,
    body,
    case
        when body = text_before
        then []::varchar[]
        else {{ secret_kinds("text_before") }}
    end as secret_kinds
from redacted
