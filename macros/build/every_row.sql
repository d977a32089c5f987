{# The rows of several models, one after the other. #}
{% macro every_row(models) %}
    {% for model in models %}
        select * from {{ ref(model) }} {{ "union all" if not loop.last }}
    {% endfor %}
{% endmacro %}
