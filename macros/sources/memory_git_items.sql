{# The items of one of the lists that projected histories hold, each with its project. #}
{% macro memory_git_items(projected, items, item) %}
    with
        listed as (
            select
                project_name,
                {{ json_fields("history", {items: [memory_git_fields(items)]}) }}.{{ items }}
                as {{ items }}
            from {{ projected }}
        )

    select project_name, {{ item }}
    from {{ each_item("listed", items, item, item ~ "_number") }}
{% endmacro %}
