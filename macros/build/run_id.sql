{# The build that a row comes from. #}
{% macro run_id() %} '{{ var("run_id", invocation_id) }}' {% endmacro %}
