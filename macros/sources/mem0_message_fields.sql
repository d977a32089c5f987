{# The columns of the messages that mem0 keeps for its next extraction. #}
{% macro mem0_message_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "session_scope": "VARCHAR",
                "role": "VARCHAR",
                "content": "VARCHAR",
                "name": "VARCHAR",
                "created_at": "VARCHAR",
            }
        )
    }}
{% endmacro %}
