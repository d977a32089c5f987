{#
    Where a submodule lies in its repository: the name that git gave it, which is its first path,
    else its path. NULL where a repository is none's submodule.
#}
{% macro inner_repository(common_dir, superproject, top_level) %}
    coalesce(
        {{
            first_match(
                common_dir,
                "^.+?(?:/\\.bare|/?\\.git)/(?:worktrees/[^/]+/)?modules/(.+)$",
            )
        }},
        case
            when starts_with({{ top_level }}, {{ superproject }} || '/')
            then substr({{ top_level }}, length({{ superproject }}) + 2)
        end
    )
{% endmacro %}
