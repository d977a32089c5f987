{# The fields of a part of a Letta message: text, reasoning, a tool call, its result, an approval. #}
{% macro letta_part_fields() %}
    {{
        return(
            {
                "type": "VARCHAR",
                "text": "VARCHAR",
                "reasoning": "VARCHAR",
                "function": {"name": "VARCHAR", "arguments": "VARCHAR"},
                "func_response": "VARCHAR",
                "reason": "VARCHAR",
            }
        )
    }}
{% endmacro %}
