{# A group of a pattern's first match, NULL where nothing matches. #}
{% macro first_match(text, pattern, group=1) %}
    nullif(regexp_extract({{ text }}, '{{ pattern }}', {{ group }}), '')
{% endmacro %}
