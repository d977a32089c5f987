with
    folders as (
        select distinct cwd from {{ ref("int_events_unioned") }} where cwd is not null
    ),

    checkouts as (select * from {{ ref("stg_git__checkouts") }}),

    -- Events name the same few folders over and over: each is looked at once. Folders
    -- are named by people, and their names become keys that all marts show.
    named as (
        select cwd as name
        from folders
        union
        select remote
        from checkouts
        union
        select top_level
        from checkouts
        union
        select common_dir
        from checkouts
        union
        select superproject
        from checkouts
    ),

    names as (select name, {{ redact_secrets("name") }} as shown_name from named),

    placed as (
        select
            folders.cwd,
            {{ folder_path("folder_names.shown_name") }} as folder,
            checkouts.is_worktree,
            {{ remote_key("remotes.shown_name") }} as remote_project,
            {{ folder_path("top_levels.shown_name") }} as top_level,
            {{ folder_path("superprojects.shown_name") }} as superproject,
            {{ folder_path("common_dirs.shown_name") }} as common_dir
        from folders
        inner join names as folder_names on folders.cwd = folder_names.name
        left join checkouts on folders.cwd = checkouts.cwd
        left join names as remotes on checkouts.remote = remotes.name
        left join names as top_levels on checkouts.top_level = top_levels.name
        left join names as superprojects on checkouts.superproject = superprojects.name
        left join names as common_dirs on checkouts.common_dir = common_dirs.name
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
