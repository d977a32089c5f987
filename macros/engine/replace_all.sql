{# A text with every match of a pattern replaced; `\1` in the replacement is the first group. #}
{% macro replace_all(text, pattern, replacement) %}
    regexp_replace(
        {{ text }}, {{ text_literal(pattern) }}, {{ text_literal(replacement) }}, 'g'
    )
{%- endmacro %}
