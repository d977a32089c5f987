{# An OpenClaw event's part: the block's number, and behind a dot that of the queued message in it. #}
{% macro openclaw_part() %}
    case
        when len(messages) > 1
        then (item_number - 1) || '.' || (message_number - 1)
        else (item_number - 1)::varchar
    end
{% endmacro %}
