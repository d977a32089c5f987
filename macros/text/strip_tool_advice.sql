{# Without what the gateway writes into a text for its agent. #}
{% macro strip_tool_advice(text) %}
    case
        when
            contains({{ text }}, 'To send an image back, prefer the message tool')
            or contains({{ text }}, '[Historical context: a different model called')
        then regexp_replace({{ text }}, '{{ tool_advice_pattern() }}', '', 'g')
        else {{ text }}
    end
{% endmacro %}
