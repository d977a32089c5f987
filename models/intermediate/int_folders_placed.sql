with
    -- Events name the same few folders over and over: each is looked at once. Folders
    -- are named by people, and their names become keys that all marts show.
    folders as (
        select cwd, {{ redact_secrets("cwd") }} as shown_cwd
        from {{ ref("int_events_unioned") }}
        where cwd is not null
        group by cwd
    ),

    checkouts as (
        select
            cwd,
            is_worktree,
            {{ redact_secrets("remote") }} as remote,
            {{ redact_secrets("top_level") }} as top_level,
            {{ redact_secrets("common_dir") }} as common_dir,
            {{ redact_secrets("superproject") }} as superproject
        from {{ ref("stg_git__checkouts") }}
    ),

    placed as (
        select
            folders.cwd,
            {{ folder_path("folders.shown_cwd") }} as folder,
            checkouts.is_worktree,
            {{ remote_key("checkouts.remote") }} as remote_project,
            {{ folder_path("checkouts.top_level") }} as top_level,
            {{ folder_path("checkouts.superproject") }} as superproject,
            {{ folder_path("checkouts.common_dir") }} as common_dir
        from folders
        left join checkouts on folders.cwd = checkouts.cwd
    ),

    rooted as (
        select
            *,
            {{ outer_repository("common_dir", "superproject") }} as outer_root,
            {{ inner_repository("common_dir", "superproject", "top_level") }}
            as inner_path,
            {{ repository_root("is_worktree", "top_level", "common_dir") }}
            as repository_root,
            coalesce(
                {{ first_match("folder", "^(.+?)/\\.(?:claude/)?worktrees/[^/]+") }},
                folder
            ) as folder_root,
            case
                when is_worktree
                then regexp_extract(top_level, '[^/]+$')
                else {{ first_match("folder", "/\\.(?:claude/)?worktrees/([^/]+)") }}
            end as worktree
        from placed
    )

-- A home or a temporary folder is no project, whoever asks git about it.
select
    cwd,
    remote_project,
    case
        when inner_path is not null and not {{ is_nowhere("outer_root") }}
        then {{ parent_and_name("outer_root") }} || '/' || inner_path
        when not {{ is_nowhere("repository_root") }}
        then {{ parent_and_name("repository_root") }}
    end as repository_project,
    case
        when not {{ is_nowhere("folder_root") }}
        then {{ parent_and_name("folder_root") }}
    end as folder_project,
    worktree,
    coalesce(repository_root, folder_root) as root
from rooted
