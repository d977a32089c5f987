{# The build that a row comes from. Its id is no variable of dbt's: those make it parse all anew. #}
{% macro run_id() %}
    {{ text_literal(dbt_metadata_envs.get("TAMIS_RUN_ID", invocation_id)) }}
{% endmacro %}
