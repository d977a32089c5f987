{# The columns of claude-mem's prompts and sessions, of every age of the schema. #}
{% macro claude_mem_prompt_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "content_session_id": "VARCHAR",
                "claude_session_id": "VARCHAR",
                "memory_session_id": "VARCHAR",
                "sdk_session_id": "VARCHAR",
                "project": "VARCHAR",
                "platform_source": "VARCHAR",
                "prompt_number": "VARCHAR",
                "prompt_text": "VARCHAR",
                "user_prompt": "VARCHAR",
                "started_at": "VARCHAR",
                "started_at_epoch": "VARCHAR",
                "created_at": "VARCHAR",
                "created_at_epoch": "VARCHAR",
            }
        )
    }}
{% endmacro %}
