{# A message's content as a list of blocks: an array as it is, a bare string or a line's own text as one text block. #}
{% macro content_items(message_content, line_text="null") %}
    case
        when json_type({{ message_content }}) = 'ARRAY'
        then {{ json_items(message_content) }}
        when json_type({{ message_content }}) = 'OBJECT'
        then [{{ message_content }}]
        when json_type({{ message_content }}) = 'VARCHAR'
        then
            [
                json_object(
                    'type', 'text', 'text', {{ json_string(message_content, "$") }}
                )
            ]
        when {{ line_text }} is not null
        then [json_object('type', 'text', 'text', {{ line_text }})]
    end
{% endmacro %}
