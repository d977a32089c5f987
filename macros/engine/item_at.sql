{# An item of a list by its number, from 1. #}
{% macro item_at(items, number) %} {{ items }} [{{ number }}] {%- endmacro %}
