{# The columns of claude-mem's observations and memory items, of every age of the schema. #}
{% macro claude_mem_observation_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "memory_session_id": "VARCHAR",
                "sdk_session_id": "VARCHAR",
                "kind": "VARCHAR",
                "type": "VARCHAR",
                "title": "VARCHAR",
                "subtitle": "VARCHAR",
                "text": "VARCHAR",
                "narrative": "VARCHAR",
                "facts": "JSON",
                "concepts": "JSON",
                "files_read": "JSON",
                "files_modified": "JSON",
                "project": "VARCHAR",
                "project_id": "VARCHAR",
                "merged_into_project": "VARCHAR",
                "prompt_number": "VARCHAR",
                "agent_id": "VARCHAR",
                "agent_type": "VARCHAR",
                "generated_by_model": "VARCHAR",
                "created_at": "VARCHAR",
                "created_at_epoch": "VARCHAR",
            }
        )
    }}
{% endmacro %}
