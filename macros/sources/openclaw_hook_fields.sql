{# The fields of an OpenClaw hook event that staging reads, with the types they are read as. #}
{% macro openclaw_hook_fields() %}
    {{
        return(
            {
                "type": "VARCHAR",
                "action": "VARCHAR",
                "sessionKey": "VARCHAR",
                "timestamp": "VARCHAR",
                "context": {
                    "content": "VARCHAR",
                    "transcript": "VARCHAR",
                    "body": "VARCHAR",
                    "bodyForAgent": "VARCHAR",
                    "timestamp": "VARCHAR",
                    "success": "BOOLEAN",
                    "error": "VARCHAR",
                    "messageId": "VARCHAR",
                    "channelId": "VARCHAR",
                    "conversationId": "VARCHAR",
                },
            }
        )
    }}
{% endmacro %}
