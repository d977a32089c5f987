with
    events as (select * from {{ ref("int_events_normalized") }}),

    redacted as (
        select
            event_id,
            record_id,
            steps,
            step_lengths,
            body as text_before,
            {{ redact_secrets("body") }} as redacted_once
        from events
    ),

    -- A secret that was glued to another one shows only when that one is gone.
    redacted_again as (
        select *, {{ redact_secrets("redacted_once") }} as redacted_twice from redacted
    )

select
    event_id,
    record_id,
    steps,
    step_lengths,
    case
        when
            redacted_twice = redacted_once
            or {{ redact_secrets("redacted_twice") }} = redacted_twice
        then redacted_twice
        else '[REDACTED:secrets]'
    end as body,
    case
        when redacted_once = text_before
        then []::varchar[]
        else {{ secret_kinds("text_before") }}
    end as secret_kinds
from redacted_again
