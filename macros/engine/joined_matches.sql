{# A group of every match of a pattern in a text, 0 for the whole match, joined by a newline. #}
{% macro joined_matches(text, pattern, group) %}
    array_to_string(
        regexp_extract_all({{ text }}, {{ text_literal(pattern) }}, {{ group }}),
        chr(10)
    )
{%- endmacro %}
