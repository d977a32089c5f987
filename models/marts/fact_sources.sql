with
    verdicts as (
        select * from {{ ref("int_events_deduplicated") }} where fact_id is not null
    ),

    captured as (select * from {{ ref("int_events_unioned") }}),

    names as (select * from {{ ref("int_names_redacted") }}),

    events as (select * from {{ shown_events("captured", "names") }} as shown),

    bodies as (select * from {{ ref("int_events_redacted") }}),

    fact_sources as (
        select
            verdicts.event_id,
            verdicts.fact_id,
            verdicts.verdict as relation,
            verdicts.cover_rule,
            {{ event_columns("events", "verdicts", "bodies") }}
        from verdicts
        inner join events on verdicts.event_id = events.event_id
        inner join bodies on verdicts.event_id = bodies.event_id
    )

select *
from fact_sources
