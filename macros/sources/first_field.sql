{# The first of the named fields of a struct that holds something. #}
{% macro first_field(row, names) %}
    coalesce(
        {% for name in names %}
            nullif({{ row }}.{{ name }}, '') {{ "," if not loop.last }}
        {% endfor %}
    )
{% endmacro %}
