with
    events as (select * from {{ ref("int_events_classified") }}),

    keys as (select event_id, project_found_by from {{ ref("int_events_keyed") }}),

    -- A session belongs where it began, also when it goes on in a temporary
    -- folder or in one of which nobody knows more than its path.
    sessions as (
        select
            source_system,
            session_id,
            coalesce(
                min_by(known_project_key, event_order) filter (where is_turn),
                min_by(known_project_key, event_order)
            ) as session_project_key
        from events
        where known_project_key is not null and session_id is not null
        group by source_system, session_id
    )

select
    events.* exclude (known_project_key),
    case
        when keys.project_found_by in ('git', 'name', 'alias')
        then events.known_project_key
        else coalesce(sessions.session_project_key, events.known_project_key)
    end as known_project_key,
    case
        when
            keys.project_found_by in ('git', 'name', 'alias')
            or sessions.session_project_key is null
            or sessions.session_project_key = events.known_project_key
        then keys.project_found_by
        else 'session'
    end as project_found_by
from events
inner join keys on events.event_id = keys.event_id
left join
    sessions
    on events.source_system = sessions.source_system
    and events.session_id = sessions.session_id
