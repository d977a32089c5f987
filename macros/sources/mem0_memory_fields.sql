{# The fields of a mem0 memory, in the spellings of lists, searches, dumps and vector stores. #}
{% macro mem0_memory_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "memory": "VARCHAR",
                "data": "VARCHAR",
                "payload": "JSON",
                "created_at": "VARCHAR",
                "createdAt": "VARCHAR",
                "updated_at": "VARCHAR",
                "updatedAt": "VARCHAR",
                "user_id": "VARCHAR",
                "userId": "VARCHAR",
                "agent_id": "VARCHAR",
                "agentId": "VARCHAR",
                "app_id": "VARCHAR",
                "run_id": "VARCHAR",
                "runId": "VARCHAR",
                "session_id": "VARCHAR",
                "actor_id": "VARCHAR",
                "role": "VARCHAR",
                "replaced_by": "VARCHAR",
                "expiration_date": "VARCHAR",
                "categories": "JSON",
                "linked_memory_ids": "JSON",
                "project": "VARCHAR",
                "branch": "VARCHAR",
                "metadata": {"project": "VARCHAR", "branch": "VARCHAR"},
            }
        )
    }}
{% endmacro %}
