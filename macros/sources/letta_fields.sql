{# The fields of a Letta message or block that staging reads, with the types they are read as. #}
{% macro letta_fields() %}
    {{
        return(
            {
                "agent": {"key": "VARCHAR", "name": "VARCHAR", "type": "VARCHAR"},
                "message": {
                    "role": "VARCHAR",
                    "content": "JSON",
                    "tool_calls": "JSON",
                    "tool_returns": "JSON",
                    "approvals": "JSON",
                    "model": "VARCHAR",
                    "created_at": "VARCHAR",
                },
                "block": {
                    "label": "VARCHAR",
                    "value": "VARCHAR",
                    "created_at": "VARCHAR",
                    "updated_at": "VARCHAR",
                },
            }
        )
    }}
{% endmacro %}
