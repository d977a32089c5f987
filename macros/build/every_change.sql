{# The rows of all staging models of changes, one after the other. #}
{% macro every_change(models) %}
    {% for model in models %}
        select * from {{ ref(model) }} {{ "union all" if not loop.last }}
    {% endfor %}
{% endmacro %}
