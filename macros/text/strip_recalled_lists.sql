{# Without the lists of recalled memories at its beginning. #}
{% macro strip_recalled_lists(text) %}
    case
        when contains({{ text }}, 'Relevant context recalled from previous sessions:')
        then regexp_replace({{ text }}, '^\s*{{ recalled_list_pattern() }}+', '')
        else {{ text }}
    end
{% endmacro %}
