with
    folders as (
        select distinct cwd from {{ ref("int_events_unioned") }} where cwd is not null
    ),

    checkouts as (select * from {{ ref("stg_git__checkouts") }}),

    -- Events name the same few folders over and over: each is looked at once. Folders
    -- are named by people, and their names become keys that all marts show.
    named as (
        {{ names_in("folders", ["cwd"]) }}
        union
        {{
            names_in(
                "checkouts", ["remote", "top_level", "common_dir", "superproject"]
            )
        }}
    ),

    names as (select name, {{ redact_secrets("name") }} as shown_name from named),

    shown_folders as (select * from {{ with_shown("folders", "names", ["cwd"]) }}),

    shown_checkouts as (
        select *
        from
            {{
                with_shown(
                    "checkouts",
                    "names",
                    ["remote", "top_level", "common_dir", "superproject"],
                )
            }}
    ),

    placed as (
        select
            folders.cwd,
            {{ folder_path("folders.shown_cwd") }} as folder,
            checkouts.is_worktree,
            {{ remote_key("checkouts.shown_remote") }} as remote_project,
            {{ folder_path("checkouts.shown_top_level") }} as top_level,
            {{ folder_path("checkouts.shown_superproject") }} as superproject,
            {{ folder_path("checkouts.shown_common_dir") }} as common_dir
        from shown_folders as folders
        left join shown_checkouts as checkouts on folders.cwd = checkouts.cwd
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
