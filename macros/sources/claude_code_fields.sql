{# The fields of a Claude Code line that staging reads, with the types they are read as. #}
{% macro claude_code_fields() %}
    {{
        return(
            {
                "type": "VARCHAR",
                "subtype": "VARCHAR",
                "operation": "VARCHAR",
                "uuid": "VARCHAR",
                "parentUuid": "VARCHAR",
                "sessionId": "VARCHAR",
                "promptId": "VARCHAR",
                "agentId": "VARCHAR",
                "isSidechain": "BOOLEAN",
                "isMeta": "BOOLEAN",
                "isCompactSummary": "BOOLEAN",
                "isApiErrorMessage": "BOOLEAN",
                "cwd": "VARCHAR",
                "gitBranch": "VARCHAR",
                "version": "VARCHAR",
                "slug": "VARCHAR",
                "timestamp": "VARCHAR",
                "summary": "VARCHAR",
                "content": "VARCHAR",
                "attachment": {"type": "VARCHAR", "prompt": "JSON"},
                "message": {"id": "VARCHAR", "role": "VARCHAR", "content": "JSON"},
            }
        )
    }}
{% endmacro %}
