{# A model's schema is the one its folder names, never prefixed with the target's. #}
{% macro generate_schema_name(custom_schema_name, node) %}
    {{- custom_schema_name or target.schema -}}
{% endmacro %}
