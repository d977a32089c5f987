with
    verdicts as (select * from {{ ref("int_events_deduplicated") }}),

    captured as (
        select
            event_id,
            session_id,
            occurred_at,
            cwd,
            {{ json_string("metadata", "$.project_name") }} as project_name
        from {{ ref("int_events_unioned") }}
    ),

    names as (select * from {{ ref("int_names_redacted") }}),

    events as (
        select
            event_id,
            session_id,
            occurred_at,
            shown_cwd as cwd,
            shown_project_name as captured_name
        from {{ with_shown("captured", "names", ["cwd", "project_name"]) }} as shown
    ),

    keys as (select * from {{ ref("int_events_keyed") }}),

    aliases as (
        select project_key, list(alias) as names
        from {{ ref("project_aliases") }}
        group by project_key
    ),

    projects as (
        select
            {{ id_from(["verdicts.namespace", "verdicts.project_key"]) }} as project_id,
            verdicts.namespace,
            verdicts.project_key,
            coalesce(
                list(distinct keys.worktree order by keys.worktree) filter (
                    where keys.worktree is not null
                ),
                []
            ) as worktrees,
            coalesce(
                list(distinct events.cwd order by events.cwd) filter (
                    where events.cwd is not null
                ),
                []
            ) as folders,
            list(distinct events.captured_name) as captured_names,
            count(distinct events.session_id) as session_count,
            count(*) as event_count,
            count(distinct verdicts.fact_id) as fact_count,
            min(events.occurred_at) as first_seen_at,
            max(events.occurred_at) as last_seen_at
        from verdicts
        inner join events on verdicts.event_id = events.event_id
        inner join keys on verdicts.event_id = keys.event_id
        group by verdicts.namespace, verdicts.project_key
    )

-- What each was or may be called: by its last name, as captures and aliases say, by its
-- worktrees, by an id made of its last name.
select
    projects.* exclude (captured_names),
    {{
        project_names(
            "projects.project_key",
            "projects.worktrees",
            "projects.captured_names",
            "aliases.names",
        )
    }} as names
from projects
left join aliases on projects.project_key = aliases.project_key
