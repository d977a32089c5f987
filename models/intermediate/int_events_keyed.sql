with
    -- Agents and folders are named by people, and their names become keys that all
    -- marts show.
    events as (
        select
            event_id,
            user_id,
            trigger_kind,
            metadata,
            cwd,
            {{ redact_secrets("session_key") }} as session_key,
            {{ redact_secrets("agent_id") }} as agent_id,
            {{ redact_secrets("cwd") }} as shown_cwd
        from {{ ref("int_events_unioned") }}
    ),

    checkouts as (
        select
            cwd,
            is_worktree,
            {{ redact_secrets("remote") }} as remote,
            {{ redact_secrets("top_level") }} as top_level,
            {{ redact_secrets("common_dir") }} as common_dir
        from {{ ref("stg_git__checkouts") }}
    ),

    aliases as (select * from {{ ref("project_aliases") }}),

    described as (
        select
            event_id,
            user_id,
            nullif(
                nullif(
                    lower(trim(coalesce({{ session_agent("session_key") }}, agent_id))),
                    'main'
                ),
                ''
            ) as named_agent,
            {{ is_machine_trigger("trigger_kind") }}
            or {{ is_machine_trigger(trigger_kind("session_key")) }} as is_scheduled,
            coalesce(
                {{ json_string("metadata", "$.is_subagent") }} = 'true'
                or regexp_matches({{ session_path("session_key") }}, '(^|:)subagent:'),
                false
            ) as is_subagent,
            {{ json_string("metadata", "$.project_name") }} as project_name,
            cwd,
            {{ folder_path("shown_cwd") }} as folder
        from events
    ),

    placed as (
        select
            described.*,
            checkouts.is_worktree,
            {{ remote_key("checkouts.remote") }} as remote,
            {{ folder_path("checkouts.top_level") }} as top_level,
            regexp_replace(
                {{ folder_path("checkouts.common_dir") }}, '/?\.git$', ''
            ) as repository,
            {{
                first_match(
                    "described.folder", "^(.+?)/\\.(?:claude/)?worktrees/[^/]+"
                )
            }} as worktree_home,
            {{ first_match("described.folder", "/\\.(?:claude/)?worktrees/([^/]+)") }}
            as worktree_name
        from described
        left join checkouts on described.cwd = checkouts.cwd
    ),

    rooted as (
        select
            *,
            case
                when is_worktree
                then regexp_extract(top_level, '[^/]+$')
                else worktree_name
            end as worktree,
            coalesce(
                case
                    when is_worktree
                    then repository
                    else coalesce(top_level, repository)
                end,
                worktree_home,
                folder
            ) as root
        from placed
    )

select
    rooted.event_id,
    {{ namespace_of("rooted.user_id", "rooted.named_agent") }} as namespace,
    rooted.named_agent as agent_id,
    rooted.is_subagent,
    not rooted.is_scheduled as is_interactive,
    coalesce(
        remote,
        case when not {{ is_nowhere("root") }} then {{ parent_and_name("root") }} end,
        aliases.project_key
    ) as known_project_key,
    worktree,
    root,
    case
        when remote is not null
        then 'its git remote'
        when not {{ is_nowhere("root") }}
        then case when root = folder then 'its folder' else 'its repository' end
        when aliases.project_key is not null
        then 'an alias'
    end as known_by
from rooted
left join aliases on rooted.project_name = aliases.alias
