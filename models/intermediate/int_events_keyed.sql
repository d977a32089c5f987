with
    events as (
        select
            event_id,
            user_id,
            session_key,
            agent_id,
            trigger_kind,
            cwd,
            {{ json_string("metadata", "$.is_subagent") }} = 'true' as is_subagents,
            {{ json_string("metadata", "$.git_remote") }} as noted_remote,
            {{ json_string("metadata", "$.project_name") }} as project_name
        from {{ ref("int_events_unioned") }}
    ),

    folders as (select * from {{ ref("int_folders_placed") }}),

    aliases as (select * from {{ ref("project_aliases") }}),

    -- Agents and projects are named by people, and their names become keys that all
    -- marts show. Events name the same few over and over: each is looked at once.
    named as (
        {{
            names_in(
                "events", ["session_key", "agent_id", "noted_remote", "project_name"]
            )
        }}
    ),

    shown_names as (select name, {{ redact_secrets("name") }} as shown_name from named),

    sessions as (select distinct session_key, agent_id, trigger_kind from events),

    named_sessions as (
        select
            session_key,
            agent_id,
            trigger_kind,
            shown_session_key as shown_key,
            lower({{ trim_white_space("shown_agent_id") }}) as shown_agent
        from {{ with_shown("sessions", "shown_names", ["session_key", "agent_id"]) }}
    ),

    -- Who is named beside the session is asked first; `subagent-<id>` is how one system
    -- names what an agent started, and names no agent.
    speakers as (
        select
            session_key,
            agent_id,
            trigger_kind,
            nullif(
                coalesce(
                    case
                        when not starts_with(shown_agent, 'subagent-')
                        then nullif(shown_agent, '')
                    end,
                    {{ session_agent("shown_key") }}
                ),
                'main'
            ) as named_agent,
            {{ is_machine_trigger("trigger_kind") }}
            or {{ is_machine_trigger(trigger_kind("shown_key")) }} as is_scheduled,
            coalesce(starts_with(shown_agent, 'subagent-'), false)
            or coalesce(lower(trim(trigger_kind)) = 'subagent', false)
            or coalesce(
                regexp_matches({{ session_path("shown_key") }}, '(^|:)subagent:'), false
            ) as is_subagent
        from named_sessions
    ),

    projects as (
        select distinct noted_remote, project_name
        from events
        where coalesce(noted_remote, project_name) is not null
    ),

    named_projects as (
        select
            noted_remote,
            project_name,
            shown_noted_remote as shown_remote,
            shown_project_name as shown_name
        from
            {{
                with_shown(
                    "projects", "shown_names", ["noted_remote", "project_name"]
                )
            }}
    ),

    names as (
        select
            named_projects.noted_remote,
            named_projects.project_name,
            {{ remote_key("named_projects.shown_remote") }} as noted_project,
            coalesce(
                aliases.project_key, {{ named_project("named_projects.shown_name") }}
            ) as stated_project,
            aliases.project_key is not null as is_alias
        from named_projects
        left join aliases on trim(named_projects.project_name) = aliases.alias
    ),

    told as (
        select
            events.event_id,
            {{ namespace_of("events.user_id", "speakers.named_agent") }} as namespace,
            speakers.named_agent as agent_id,
            speakers.is_subagent or coalesce(events.is_subagents, false) as is_subagent,
            not speakers.is_scheduled as is_interactive,
            coalesce(
                folders.remote_project, names.noted_project, folders.repository_project
            ) as git_project,
            folders.folder_project,
            names.stated_project,
            names.is_alias,
            folders.worktree,
            folders.root
        from events
        inner join
            speakers
            on events.session_key is not distinct from speakers.session_key
            and events.agent_id is not distinct from speakers.agent_id
            and events.trigger_kind is not distinct from speakers.trigger_kind
        left join folders on events.cwd = folders.cwd
        left join
            names
            on events.noted_remote is not distinct from names.noted_remote
            and events.project_name is not distinct from names.project_name
    )

select
    told.event_id,
    told.namespace,
    told.agent_id,
    told.is_subagent,
    told.is_interactive,
    coalesce(
        aliases.project_key, told.git_project, told.folder_project, told.stated_project
    ) as known_project_key,
    case
        when aliases.project_key is not null
        then 'alias'
        when told.git_project is not null
        then 'git'
        when told.folder_project is not null
        then 'folder'
        when told.is_alias
        then 'alias'
        when told.stated_project is not null
        then 'name'
    end as project_found_by,
    told.worktree,
    told.root
from told
left join aliases on coalesce(told.git_project, told.folder_project) = aliases.alias
