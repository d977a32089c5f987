with
    verdicts as (
        select * from {{ ref("int_events_deduplicated") }} where fact_id is null
    ),

    captured as (select * from {{ ref("int_events_unioned") }}),

    names as (select * from {{ ref("int_names_redacted") }}),

    events as (select * from {{ shown_events("captured", "names") }} as shown),

    bodies as (select * from {{ ref("int_events_redacted") }}),

    matched as (select * from {{ ref("int_events_located") }}),

    noise_rules as (select * from {{ ref("noise_rules") }}),

    rejections as (
        select
            verdicts.event_id,
            verdicts.rule_id,
            noise_rules.category,
            noise_rules.reason,
            bodies.body as text,
            matched.match_position,
            matched.match_length,
            verdicts.cover_rule,
            {{ event_columns("events", "verdicts", "bodies") }}
        from verdicts
        inner join events on verdicts.event_id = events.event_id
        inner join bodies on verdicts.event_id = bodies.event_id
        left join
            matched
            on verdicts.event_id = matched.event_id
            and verdicts.rule_id = matched.rule_id
        left join noise_rules on verdicts.rule_id = noise_rules.rule_id
    )

select *
from rejections
