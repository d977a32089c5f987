{#- When a source last brought a record to any of its raw tables; now where it never did. -#}
{% macro newest_landing(source_name) -%}
    select coalesce(max(landed_at), {{ dbt.current_timestamp() }}) as landed_at
    from
        (
            {%- for table in graph.sources.values() if table.source_name == source_name %}
                select max(landed_at) as landed_at
                from {{ table.relation_name }}
                {%- if not loop.last %}
                    union all
                {%- endif %}
            {%- endfor %}
        ) as tables
{%- endmacro %}
