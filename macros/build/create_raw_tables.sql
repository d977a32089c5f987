{# An empty table for every declared source, so that a build needs no landing first. #}
{% macro create_raw_tables() %}
    {% if execute %}
        create schema if not exists raw;
        {% for raw_table in graph.sources.values() %}
            create table if not exists {{ raw_table.schema }}.{{ raw_table.identifier }} (
            {% for column in raw_table.columns.values() %}
                {{ column.name }} {{ column.data_type }}{{ "," if not loop.last }}
            {% endfor %}
            );
        {% endfor %}
    {% endif %}
{% endmacro %}
