{# Every match of a pattern in a text, as a list. #}
{% macro all_matches(text, pattern) %}
    regexp_extract_all({{ text }}, '{{ pattern }}')
{% endmacro %}
