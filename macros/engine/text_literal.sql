{# A text as an SQL literal. #}
{% macro text_literal(text) %}
    {{ "'" ~ (text | replace("'", "''")) ~ "'" }}
{%- endmacro %}
