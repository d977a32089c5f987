-- Events name the same sessions, files and folders over and over, and hardly ever
-- with a secret: each is looked at once, and only those with one are kept.
with
    events as (
        select
            native_id,
            session_id,
            session_key,
            origin,
            container,
            cwd,
            {{ json_string("metadata", "$.project_name") }} as project_name,
            {{ json_string("metadata", "$.context") }} as context
        from {{ ref("int_events_unioned") }}
    ),

    named as (
        select native_id as name
        from events
        union all
        select distinct session_id as name
        from events
        union all
        select distinct session_key as name
        from events
        union all
        select distinct origin as name
        from events
        union all
        select distinct container as name
        from events
        union all
        select distinct cwd as name
        from events
        union all
        select distinct project_name as name
        from events
        union all
        select distinct context as name
        from events
    ),

    names as ({{ redacted_names("named") }})

select *
from names
