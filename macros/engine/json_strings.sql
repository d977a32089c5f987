{# All texts that a JSON path with a wildcard finds, joined by a newline. #}
{% macro json_strings(json_text, path) %}
    array_to_string(json_extract_string({{ json_text }}, '{{ path }}'), chr(10))
{% endmacro %}
