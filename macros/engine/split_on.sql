{# A text's pieces between the matches of a pattern. #}
{% macro split_on(text, pattern) %}
    regexp_split_to_array({{ text }}, '{{ pattern }}')
{% endmacro %}
