{# The fields of an MCP memory entry that staging reads, with the types they are read as. #}
{% macro mcp_memory_fields() %}
    {{
        return(
            {
                "type": "VARCHAR",
                "name": "VARCHAR",
                "entityType": "VARCHAR",
                "observations": "JSON",
                "from": "VARCHAR",
                "to": "VARCHAR",
                "relationType": "VARCHAR",
                "entityName": "VARCHAR",
                "observation": "VARCHAR",
                "createdAt": "VARCHAR",
                "updatedAt": "VARCHAR",
            }
        )
    }}
{% endmacro %}
