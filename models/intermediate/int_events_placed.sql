with
    events as (select * from {{ ref("int_events_classified") }}),

    -- A drive's letter and its folders are written in either case.
    keys as (
        select
            event_id,
            project_found_by,
            case when root like '_:/%' then lower(root) else root end as root
        from {{ ref("int_events_keyed") }}
    ),

    -- A folder that other captures note as a checkout of one repository is that one
    -- also where nobody noted it.
    repositories as (
        select
            events.namespace,
            keys.root,
            min(events.known_project_key) as repository_project_key
        from events
        inner join keys on events.event_id = keys.event_id
        where keys.project_found_by = 'git' and keys.root is not null
        group by events.namespace, keys.root
        having count(distinct events.known_project_key) = 1
    ),

    found as (
        select
            events.* exclude (known_project_key),
            coalesce(
                repositories.repository_project_key, events.known_project_key
            ) as known_project_key,
            case
                when repositories.repository_project_key is not null
                then 'git'
                else keys.project_found_by
            end as project_found_by
        from events
        inner join keys on events.event_id = keys.event_id
        left join
            repositories
            on keys.project_found_by = 'folder'
            and events.namespace = repositories.namespace
            and keys.root = repositories.root
    ),

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
        from found
        where known_project_key is not null and session_id is not null
        group by source_system, session_id
    )

select
    found.* exclude (known_project_key, project_found_by),
    case
        when found.project_found_by in ('git', 'name', 'alias')
        then found.known_project_key
        else coalesce(sessions.session_project_key, found.known_project_key)
    end as known_project_key,
    case
        when
            found.project_found_by in ('git', 'name', 'alias')
            or sessions.session_project_key is null
            or sessions.session_project_key = found.known_project_key
        then found.project_found_by
        else 'session'
    end as project_found_by
from found
left join
    sessions
    on found.source_system = sessions.source_system
    and found.session_id = sessions.session_id
