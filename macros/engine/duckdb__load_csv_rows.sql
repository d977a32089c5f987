{#
    Fills a seed's table as dbt-duckdb does, from the home's rows where `TAMIS_RULES` names a home:
    dbt writes what it ran beside a seed's own path, so a path outside the project can't be one.
#}
{% macro duckdb__load_csv_rows(model, agate_table) %}
    {%- set packaged = adapter.get_seed_file_path(model) -%}
    {%- set own = env_var("TAMIS_RULES", "") ~ "/seeds/" ~ model["name"] ~ ".csv" -%}
    {%- set path = own if env_var("TAMIS_RULES", "") else packaged -%}
    {%- set sql -%}
        copy {{ this.render() }}
        from {{ text_literal(path) }} (format csv, header true, delimiter ',')
    {%- endset -%}
    {%- do adapter.add_query(sql, abridge_sql_log=True) -%}
    {{ return(sql) }}
{% endmacro %}
