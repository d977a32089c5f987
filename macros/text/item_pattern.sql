{# The mark of a list item that says something. #}
{% macro item_pattern() -%} {{ "^\\s*(?:[-*+•]|[0-9]{1,4}[.)])\\s+" }} {%- endmacro %}
