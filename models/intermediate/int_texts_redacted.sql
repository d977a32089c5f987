-- Few texts hold a secret: only those are kept, so that none is looked through twice.
with
    events as (select event_id, body from {{ ref("int_events_normalized") }}),

    redacted as (
        select
            event_id, body as text_before, {{ redact_secrets("body") }} as redacted_once
        from events
    ),

    holding as (select * from redacted where redacted_once <> text_before),

    -- A secret that was glued to another one shows only when that one is gone.
    redacted_again as (
        select *, {{ redact_secrets("redacted_once") }} as redacted_twice from holding
    )

select
    event_id,
    case
        when
            redacted_twice = redacted_once
            or {{ redact_secrets("redacted_twice") }} = redacted_twice
        then redacted_twice
        else '[REDACTED:secrets]'
    end as body,
    {{ secret_kinds("text_before") }} as secret_kinds
from redacted_again
