with
    events as (select * from {{ ref("int_events_placed") }}),

    covers as (select * from {{ ref("int_events_covered") }}),

    turns as (
        select events.*, epoch_ms(events.occurred_at) as instant
        from events
        left join covers on events.event_id = covers.event_id
        where
            events.is_turn
            and events.occurred_at is not null
            and covers.event_id is null
    ),

    spaced as (
        select
            *,
            instant - lag(instant) over body
            > {{ capture_window_seconds() }} * 1000 as is_apart
        from turns
        window body as (partition by namespace, role, body_hash order by event_order)
    ),

    islands as (
        select
            *,
            sum(case when is_apart then 1 else 0 end) over (
                partition by namespace, role, body_hash order by event_order
            ) as island
        from spaced
    ),

    -- What one session says twice is two turns: its first goes with the others' first.
    numbered as (
        select
            *,
            row_number() over (
                partition by
                    namespace, role, body_hash, island, source_system, session_id
                order by event_order
            ) as occurrence
        from islands
    ),

    windows as (
        select
            namespace,
            role,
            body_hash,
            island,
            occurrence,
            {{
                window_starts(
                    "list(instant order by instant)", capture_window_seconds()
                )
            }} as starts
        from numbered
        group by namespace, role, body_hash, island, occurrence
    ),

    windowed as (
        select
            numbered.*,
            {{ last_start("windows.starts", "numbered.instant") }} as window_start
        from numbered
        inner join
            windows
            on numbered.namespace = windows.namespace
            and numbered.role = windows.role
            and numbered.body_hash = windows.body_hash
            and numbered.island = windows.island
            and numbered.occurrence = windows.occurrence
    ),

    -- Two known projects are one capture only when
    -- they were written at nearly the same moment.
    split as (
        select
            *,
            case
                when
                    known_project_key
                    <> first_value(known_project_key ignore nulls) over capture
                    and instant - first_value(
                        case
                            when known_project_key is not null then instant
                        end ignore nulls
                    ) over capture
                    > 2000
                then known_project_key
            end as other_project_key
        from windowed
        window
            capture as (
                partition by
                    namespace, role, body_hash, island, occurrence, window_start
                order by event_order
                rows between unbounded preceding and unbounded following
            )
    )

-- A declared copy never stands for the turn that it copies, nor an
-- agent's main session, where all channels meet, for the conversation.
select
    event_id,
    first_value(event_id) over capture as capture_id,
    min(event_order) over capture as capture_order,
    first_value(known_project_key ignore nulls) over capture as capture_project_key
from split
window
    capture as (
        partition by
            namespace,
            role,
            body_hash,
            island,
            occurrence,
            window_start,
            other_project_key
        order by
            copy_kind nulls first,
            coalesce(session_id like 'agent:%:main', false),
            event_order
        rows between unbounded preceding and unbounded following
    )
