{# The rows of all staging models of events, one after the other. #}
{% macro every_sighting(models) %}
    {% for model in models %}
        select * from {{ ref(model) }} {{ "union all" if not loop.last }}
    {% endfor %}
{% endmacro %}
