{# Without the lists of recalled memories at its beginning. #}
{% macro strip_recalled_lists(text) %}
    regexp_replace({{ text }}, '^\s*{{ recalled_list_pattern() }}+', '')
{% endmacro %}
