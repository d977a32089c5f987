{# The columns of claude-mem's queue of pending messages, of every age of the schema. #}
{% macro claude_mem_queue_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "content_session_id": "VARCHAR",
                "claude_session_id": "VARCHAR",
                "message_type": "VARCHAR",
                "tool_name": "VARCHAR",
                "tool_input": "VARCHAR",
                "tool_response": "VARCHAR",
                "tool_use_id": "VARCHAR",
                "cwd": "VARCHAR",
                "last_user_message": "VARCHAR",
                "last_assistant_message": "VARCHAR",
                "prompt_number": "VARCHAR",
                "status": "VARCHAR",
                "agent_id": "VARCHAR",
                "created_at_epoch": "VARCHAR",
                "started_processing_at_epoch": "VARCHAR",
                "updated_at_epoch": "VARCHAR",
            }
        )
    }}
{% endmacro %}
