{# The value of a JSON object's field, as JSON text; its name is an expression. #}
{% macro json_value(json_text, name) %}
    json_extract({{ json_text }}, {{ name }})::varchar
{% endmacro %}
