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

    redacted as (
        select name, {{ redact_secrets("name") }} as redacted_once
        from named
        where name is not null
    ),

    holding as (
        select distinct name, redacted_once from redacted where redacted_once <> name
    )

-- A secret that was glued to another one shows only when that one is gone.
select name, {{ redact_secrets("redacted_once") }} as shown_name
from holding
