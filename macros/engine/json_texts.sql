{# The items of a JSON array as a list of texts, unquoted; an empty list where there is no array. #}
{% macro json_texts(json_text) %}
    coalesce(json_extract_string({{ json_text }}, '$[*]'), [])
{% endmacro %}
