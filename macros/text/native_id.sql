{# A source's own id of a record, NULL where it is no id: empty, or of another type than text. #}
{% macro native_id(value) %}
    case
        when regexp_matches({{ value }}, '^(?:\s*|true|false|null|[{\[].*)$')
        then null
        else {{ value }}
    end
{% endmacro %}
