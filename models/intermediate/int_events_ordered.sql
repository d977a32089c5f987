with recursive
    events as (select * from {{ ref("int_events_unioned") }}),

    messages as (
        select
            {{ message_key("native_id") }} as message_key,
            min({{ message_key("parent_native_id") }}) as parent_key,
            min(session_id) as session_id,
            min(occurred_at) as occurred_at
        from events
        where native_id is not null
        group by 1
    ),

    -- A message without a time that others answer
    -- was said just before the first answer.
    first_answers as (
        select
            parent_key, min(occurred_at) - interval '1 microsecond' as latest_possible
        from messages
        where occurred_at is not null
        group by parent_key
    ),

    timed as (
        select
            messages.message_key,
            messages.parent_key,
            messages.session_id,
            coalesce(messages.occurred_at, first_answers.latest_possible) as told_at
        from messages
        left join first_answers on messages.message_key = first_answers.parent_key
    ),

    answers as (
        select
            child.message_key,
            child.parent_key,
            child.session_id,
            child.told_at,
            parent.told_at as parent_told_at,
            coalesce(
                child.told_at <= parent.told_at, child.told_at is null
            ) as is_early,
            child.session_id is distinct from parent.session_id as is_elsewhere
        from timed as child
        inner join timed as parent on child.parent_key = parent.message_key
        where parent.told_at is not null or child.told_at is not null
    ),

    -- Where nobody is early and nobody answers from elsewhere, no message can move.
    unsettled_sessions as (
        select distinct coalesce(session_id, '') as session_id
        from answers
        where is_early or is_elsewhere
    ),

    unsettled as (
        select answers.*
        from answers
        inner join
            unsettled_sessions
            on coalesce(answers.session_id, '') = unsettled_sessions.session_id
    ),

    first_early as (
        select early.message_key, early.parent_told_at
        from unsettled as early
        left join
            unsettled as early_parent
            on early.parent_key = early_parent.message_key
            and early_parent.is_early
        where
            early.is_early
            and early.parent_told_at is not null
            and early_parent.message_key is null
    ),

    moved as (
        select
            message_key,
            message_key as first_moved,
            parent_told_at + interval '1 microsecond' as ordered_at
        from first_early
        union all
        select
            unsettled.message_key,
            moved.first_moved,
            moved.ordered_at + interval '1 microsecond' as ordered_at
        from moved
        inner join unsettled on moved.message_key = unsettled.parent_key
        where
            coalesce(unsettled.told_at <= moved.ordered_at, true)
            -- Each message has one parent, so a circle leads back to where it began.
            and unsettled.message_key <> moved.first_moved
    ),

    settled as (
        select message_key, max(ordered_at) as ordered_at
        from moved
        group by message_key
    ),

    placed as (
        select
            events.event_id,
            coalesce(settled.ordered_at, timed.told_at) as ordered_at,
            settled.message_key is not null as is_early,
            events.source_system,
            events.container,
            events.position,
            events.part
        from events
        left join
            timed
            on {{ message_key("events.native_id", "events.") }} = timed.message_key
        left join settled on timed.message_key = settled.message_key
    )

select
    event_id,
    is_early,
    row_number() over (
        order by
            ordered_at nulls last,
            source_system,
            container,
            position,
            try_cast(split_part(part, '.', 1) as bigint),
            try_cast(split_part(part, '.', 2) as bigint) nulls first,
            event_id
    ) as event_order
from placed
