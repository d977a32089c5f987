with
    events as (select * from {{ ref("int_events_normalized") }}),

    texts as (select * from {{ ref("int_texts_redacted") }})

select
    events.event_id,
    events.record_id,
    events.steps,
    events.step_lengths,
    coalesce(texts.body, events.body) as body,
    coalesce(texts.secret_kinds, []::varchar[]) as secret_kinds
from events
left join texts on events.event_id = texts.event_id
