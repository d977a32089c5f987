{# The items of several lists as one list, in their order. #}
{% macro joined_lists(lists) %} list_concat({{ lists | join(", ") }}) {% endmacro %}
