{#
    The project that a name of a capture says by itself: the address of a remote, or a whole path.
    NULL for any other name, since two projects may bear it: an alias says which one is meant.
#}
{% macro named_project(name) %}
    coalesce(
        {{ remote_key(name) }},
        case
            when
                regexp_matches({{ name }}, '^(?:/|~|[A-Za-z]:[/\\]|\\\\)')
                and not {{ is_nowhere(folder_path(name)) }}
            then {{ parent_and_name(folder_path(name)) }}
        end
    )
{% endmacro %}
