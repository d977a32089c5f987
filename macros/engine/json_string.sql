{# The text at a path of a JSON text, unquoted. #}
{% macro json_string(json_text, path) %}
    json_extract_string({{ json_text }}, '{{ path }}')
{% endmacro %}
