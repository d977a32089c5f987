with
    events as (select * from {{ ref("int_events_classified") }} where rule_id is null),

    captured as (select * from {{ ref("int_events_unioned") }}),

    restated as (select * from {{ ref("int_events_restated") }}),

    rules as (select * from {{ ref("grouping_rules") }}),

    declared as (
        select
            events.event_id,
            events.event_order,
            captured.native_id,
            captured.part,
            rules.rule_id,
            {{
                id_from(
                    [
                        "rules.rule_id",
                        "events.source_system",
                        "events.namespace",
                        "events.known_project_key",
                        "case when rules.same_session then events.session_id end",
                        "case when rules.same_instant then events.occurred_at end",
                        "case when rules.same_title then "
                        ~ json_string("captured.metadata", "$.title")
                        ~ " end",
                    ]
                )
            }} as group_id
        from events
        inner join captured on events.event_id = captured.event_id
        inner join
            rules
            on events.source_system = rules.source_system
            and events.event_kind = rules.event_kind
        where
            rules.least_similarity is null
            and (not rules.same_session or events.session_id is not null)
            and (not rules.same_instant or events.occurred_at is not null)
            and (
                not rules.same_title
                or {{ json_string("captured.metadata", "$.title") }} <> ''
            )
    ),

    led as (
        select
            *,
            first_value(native_id) over (
                partition by group_id order by event_order
            ) as kept_native_id
        from declared
    ),

    -- A record is kept whole: its statements stand for those of the others, part by
    -- part, and its first one for what it doesn't have.
    kept as (select * from led where native_id = kept_native_id),

    firsts as (
        select group_id, min_by(event_id, event_order) as first_event_id
        from kept
        group by group_id
    ),

    grouped as (
        select
            led.event_id,
            led.rule_id,
            coalesce(same_part.event_id, firsts.first_event_id) as first_event_id
        from led
        inner join firsts on led.group_id = firsts.group_id
        left join
            kept as same_part
            on led.group_id = same_part.group_id
            and led.part = same_part.part
        where led.native_id <> led.kept_native_id
        union all
        select
            event_id, grouping_rule_id as rule_id, restated_event_id as first_event_id
        from restated
        where event_id <> restated_event_id
    )

select grouped.event_id, grouped.first_event_id, grouped.rule_id, rules.cover_rule
from grouped
inner join rules on grouped.rule_id = rules.rule_id
