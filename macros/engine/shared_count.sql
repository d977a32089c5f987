{# How many items two sets share. #}
{% macro shared_count(first, second) %}
    len(list_intersect({{ first }}, {{ second }}))
{%- endmacro %}
