{# A line that only announces what comes: in bold as a whole, or of four words at most. #}
{% macro label_pattern() -%}
    {{ "^(?:\\W*\\*\\*[^*\\n]+\\*\\*\\W*|\\S+(?:\\s+\\S+){0,3})$" }}
{%- endmacro %}
