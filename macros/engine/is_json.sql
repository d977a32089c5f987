{# Whether a text is one JSON object or list as a whole. #}
{% macro is_json(text) %}
    (
        (starts_with({{ text }}, '{') or starts_with({{ text }}, '['))
        and json_valid({{ text }})
    )
{% endmacro %}
