{# A list of those of some expressions that are not NULL, in their order. #}
{% macro present_items(expressions) %}
    list_filter([{{ expressions }}], lambda item:item is not null)
{%- endmacro %}
