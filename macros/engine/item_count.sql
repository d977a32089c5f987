{# How many items a list has. #}
{% macro item_count(items) %} len({{ items }}) {%- endmacro %}
