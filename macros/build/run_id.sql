{# The build that a row comes from. #}
{% macro run_id() %} {{ text_literal(var("run_id", invocation_id)) }} {% endmacro %}
