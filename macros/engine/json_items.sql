{# The items of a JSON array as a list of JSON texts; an empty list where there is no array. #}
{% macro json_items(json_text) %}
    coalesce(json_extract({{ json_text }}, '$[*]'), [])
{% endmacro %}
