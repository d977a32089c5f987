{#
    The folder that a checkout's project is named after: its top level; for a linked worktree, and
    where there is none, the folder of the repository, without the `.git` or `.bare` of its name.
#}
{% macro repository_root(is_worktree, top_level, common_dir) %}
    {%- set repository -%}
        regexp_replace({{ common_dir }}, '(?:/\.bare|/?\.git)$', '')
    {%- endset -%}
    case
        when {{ is_worktree }}
        then {{ repository }}
        else coalesce({{ top_level }}, {{ repository }})
    end
{% endmacro %}
