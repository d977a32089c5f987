{# The columns of a mem0 history, in Python's, TypeScript's and the platform's names. #}
{% macro mem0_history_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "memory_id": "VARCHAR",
                "old_memory": "VARCHAR",
                "previous_value": "VARCHAR",
                "new_memory": "VARCHAR",
                "new_value": "VARCHAR",
                "event": "VARCHAR",
                "action": "VARCHAR",
                "created_at": "VARCHAR",
                "updated_at": "VARCHAR",
                "is_deleted": "VARCHAR",
                "actor_id": "VARCHAR",
            }
        )
    }}
{% endmacro %}
