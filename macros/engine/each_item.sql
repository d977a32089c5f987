{# A from clause: one row per item of a list column, with its number from 1. #}
{% macro each_item(relation, items, item, number) %}
    {{ relation }}
    cross join unnest({{ relation }}.{{ items }})
    with ordinality as exploded({{ item }}, {{ number }})
{% endmacro %}
