{# An aggregate: the JSON texts of a group as one JSON array, in no order. #}
{% macro json_array_of(json_text) %}
    '[' || string_agg({{ json_text }}, ',') || ']'
{% endmacro %}
