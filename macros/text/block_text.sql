{# What a content block says: its text, its reasoning, the call it makes or the result it holds. #}
{% macro block_text(block) %}
    case
        when {{ block }}.type in ('tool_use', 'toolCall')
        then
            concat_ws(
                ' ',
                {{ block }}.name,
                coalesce({{ block }}.input, {{ block }}.arguments)::varchar
            )
        when
            {{ block }}.type = 'tool_result'
            and json_type({{ block }}.content) = 'ARRAY'
        then {{ json_strings(block ~ ".content", "$[*].text") }}
        when {{ block }}.type = 'tool_result'
        then {{ json_string(block ~ ".content", "$") }}
        when {{ block }}.type = 'thinking'
        then {{ block }}.thinking
        else {{ block }}.text
    end
{% endmacro %}
