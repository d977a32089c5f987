{# Without the hive-mind headers at its beginning. #}
{% macro strip_headers(text) %}
    case
        when starts_with({{ text }}, '[')
        then regexp_replace({{ text }}, '^(?:{{ header_pattern() }})+', '')
        else {{ text }}
    end
{% endmacro %}
