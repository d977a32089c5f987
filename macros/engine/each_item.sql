{# A from clause: one row per item of a list column, with its number from 1. #}
{% macro each_item(relation, items, item, number) %}
    (
        select
            *,
            unnest({{ items }}) as {{ item }},
            generate_subscripts({{ items }}, 1) as {{ number }}
        from {{ relation }}
    ) as {{ relation }}
{% endmacro %}
