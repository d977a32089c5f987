{# A number that tells values apart inside one warehouse; no id, since another engine's is another. #}
{% macro quick_hash(values) -%}
    cast(hash({{ values | join(", ") }}) >> 1 as bigint)
{%- endmacro %}
