{# The columns of claude-mem's session summaries, of every age of the schema. #}
{% macro claude_mem_summary_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "memory_session_id": "VARCHAR",
                "sdk_session_id": "VARCHAR",
                "project": "VARCHAR",
                "merged_into_project": "VARCHAR",
                "request": "VARCHAR",
                "investigated": "VARCHAR",
                "learned": "VARCHAR",
                "completed": "VARCHAR",
                "next_steps": "VARCHAR",
                "notes": "VARCHAR",
                "files_read": "JSON",
                "files_edited": "JSON",
                "prompt_number": "VARCHAR",
                "created_at": "VARCHAR",
                "created_at_epoch": "VARCHAR",
            }
        )
    }}
{% endmacro %}
