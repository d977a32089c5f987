-- fmt: off
{# The guards whose parts of two texts differ, sorted; an empty list where none do. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro differing_guards(first, second) %}
    {%- set tests -%}
        case when {{ item_at(first, 1) }} <> {{ item_at(second, 1) }} then 'date' end,
        case when {{ item_at(first, 2) }} <> {{ item_at(second, 2) }} then 'negation' end,
        case when {{ item_at(first, 3) }} <> {{ item_at(second, 3) }} then 'number' end,
        case when {{ item_at(first, 4) }} <> {{ item_at(second, 4) }} then 'path' end,
        case when {{ item_at(first, 5) }} <> {{ item_at(second, 5) }} then 'version' end
    {%- endset -%}
    {{ present_items(tests) }}
{% endmacro %}
