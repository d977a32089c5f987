{# The fields of an aider chat that staging reads, with the types they are read as. #}
{% macro aider_fields() %}
    {{ return({"folder": "VARCHAR", "started": "VARCHAR", "text": "VARCHAR"}) }}
{% endmacro %}
