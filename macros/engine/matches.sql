{# Whether a pattern matches anywhere in a column. #}
{% macro matches(column, pattern) %}
    regexp_matches({{ column }}, {{ text_literal(pattern) }})
{%- endmacro %}
