{# A line that is nothing but the mark of a list item, with or without a box to tick. #}
{% macro empty_item_pattern() -%}
    {{ "^\\s*(?:[-*+•]|[0-9]{1,4}[.)])(?:\\s+\\[[ xX]?\\])?\\s*$" }}
{%- endmacro %}
