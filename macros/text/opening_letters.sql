{# The letters that a text and an extract of it share in any case: the first of its first word. #}
{% macro opening_letters(text) %}
    coalesce(left({{ first_match(text, "^([^\\s`\\[…]*)") }}, 8), '')
{%- endmacro %}
