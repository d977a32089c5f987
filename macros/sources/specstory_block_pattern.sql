{# A block that a SpecStory section sets apart from what is said: a tool's call and result, or a thought. #}
{% macro specstory_block_pattern() %}
    {{
        return(
            "(?:^|\\n)<tool-use [\\s\\S]*?\\n *(?:</details>)? *</tool-use>|<think>[\\s\\S]*?</think>"
        )
    }}
{% endmacro %}
