{# The fields of an OpenClaw transcript line that staging reads, with the types they are read as. #}
{% macro openclaw_fields() %}
    {{
        return(
            {
                "type": "VARCHAR",
                "id": "VARCHAR",
                "parentId": "VARCHAR",
                "timestamp": "VARCHAR",
                "cwd": "VARCHAR",
                "customType": "VARCHAR",
                "content": "VARCHAR",
                "summary": "VARCHAR",
                "message": {
                    "role": "VARCHAR",
                    "content": "JSON",
                    "provider": "VARCHAR",
                    "model": "VARCHAR",
                    "toolName": "VARCHAR",
                    "output": "VARCHAR",
                    "timestamp": "VARCHAR",
                },
            }
        )
    }}
{% endmacro %}
