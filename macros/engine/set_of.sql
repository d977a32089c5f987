{# A sorted list of the distinct values of some expressions, without NULL; empty where all are. #}
{% macro set_of(expressions) %}
    list_sort(list_distinct([{{ expressions }}]))
{%- endmacro %}
