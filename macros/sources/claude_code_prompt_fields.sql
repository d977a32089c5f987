{# The fields of a line of Claude Code's history.jsonl that staging reads, with their types. #}
{% macro claude_code_prompt_fields() %}
    {{
        return(
            {
                "display": "VARCHAR",
                "pastedContents": "JSON",
                "timestamp": "VARCHAR",
                "project": "VARCHAR",
                "sessionId": "VARCHAR",
            }
        )
    }}
{% endmacro %}
