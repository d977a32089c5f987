{# Without the lines that hold nothing but a message id. #}
{% macro strip_message_ids(text) %}
    case
        when contains(lower({{ text }}), '[message_id:')
        then
            regexp_replace(
                {{ text }},
                '(?i)(^|\n)(?:[ \t]*\[message_id: [^\]\n]*\][ \t\r]*(?:\n|$))+',
                '\1',
                'g'
            )
        else {{ text }}
    end
{% endmacro %}
