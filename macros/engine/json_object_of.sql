{# A JSON object of the named expressions as text; fields that are NULL are left out. #}
{% macro json_object_of(fields) %}
    json_merge_patch(
        '{}',
        json_object(
            {% for name, expression in fields.items() %}
                '{{ name }}', {{ expression }}{{ "," if not loop.last }}
            {% endfor %}
        )
    )::varchar
{% endmacro %}
