{# What a statement stands under: the headings above it, and the line that announces its list. #}
{% macro memory_context() %}
    nullif(concat_ws(' > ', headings, announcement), '')
{%- endmacro %}
