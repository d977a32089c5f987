{# What a Codex line says as a whole; NULL where a message's blocks say it. #}
{% macro codex_words() %}
    case
        when item_type = 'message'
        then null
        when item_type = 'reasoning'
        then
            concat_ws(
                chr(10),
                {{ json_strings("summary", "$[*].text") }},
                {{ json_strings("content", "$[*].text") }}
            )
        when ends_with(item_type, '_call')
        then
            concat_ws(
                ' ',
                coalesce(name, item_type),
                coalesce(arguments, input, action::varchar)
            )
        when ends_with(item_type, '_output') and json_type(output) = 'ARRAY'
        then {{ json_strings("output", "$[*].text") }}
        when ends_with(item_type, '_output')
        then {{ json_string("output", "$") }}
        when line_type = 'compacted'
        then
            coalesce(
                nullif(message, ''),
                {{ json_strings("replacement_history", "$[*].content[*].text") }}
            )
        when item_type = 'item_completed'
        then coalesce(item.text, {{ json_strings("item.content", "$[*].text") }})
        else coalesce(message, text)
    end
{% endmacro %}
