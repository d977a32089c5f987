{# What an expression yields where a name stands for a value, which is worked out once. #}
{% macro with_value(name, value, expression) %}
    list_transform([{{ value }}], lambda {{ name }}:{{ expression }})[1]
{% endmacro %}
