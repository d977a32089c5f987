{#
    The names by which a project was or may be asked for, sorted: the last part of its key, alone,
    with each of its worktrees and as the id `proj-<name>`, and those that captures and aliases
    give it; of an alias that is an old key, the last part too. None for the unknown project.
#}
{% macro project_names(project_key, worktrees, captured_names, aliases) %}
    {%- set short -%} regexp_extract({{ project_key }}, '[^/]+$') {%- endset -%}
    case
        when {{ project_key }} = 'unknown-project'
        then []::varchar[]
        else
            list_sort(
                list_distinct(
                    list_filter(
                        list_concat(
                            [
                                {{ short }},
                                'proj-' || trim(
                                    regexp_replace(
                                        lower({{ short }}), '[^a-z0-9]+', '-', 'g'
                                    ),
                                    '-'
                                )
                            ],
                            list_transform(
                                {{ worktrees }}, lambda tree:{{ short }} || '/' || tree
                            ),
                            coalesce({{ captured_names }}, []),
                            coalesce({{ aliases }}, []),
                            list_transform(
                                coalesce({{ aliases }}, []),
                                lambda alias:regexp_extract(alias, '[^/]+$')
                            )
                        ),
                        lambda name:name is not null
                        and name not in ({{ project_key }}, '', 'proj-')
                    )
                )
            )
    end
{% endmacro %}
