{#
    The folder of the repository that a submodule belongs to, the same in all of its worktrees;
    NULL where a repository is none's submodule.
#}
{% macro outer_repository(common_dir, superproject) %}
    coalesce(
        {{
            first_match(
                common_dir,
                "^(.+?)(?:/\\.bare|/?\\.git)/(?:worktrees/[^/]+/)?modules/.+$",
            )
        }},
        {{ superproject }}
    )
{% endmacro %}
