with
    events as (
        select event_id, rule_id
        from {{ ref("int_events_classified") }}
        where rule_id is not null
    ),

    bodies as (select event_id, body from {{ ref("int_events_redacted") }}),

    refused as (
        select events.event_id, events.rule_id, bodies.body
        from events
        inner join bodies on events.event_id = bodies.event_id
    ),

    spanned as (
        select event_id, rule_id, {{ noise_match("rule_id", "body") }} as match_span
        from refused
    )

select event_id, rule_id, match_span[1] as match_position, match_span[2] as match_length
from spanned
where match_span is not null
