{# Without the channel and time envelopes at its beginning. #}
{% macro strip_envelope(text) %}
    case
        when starts_with({{ text }}, '[') or starts_with({{ text }}, 'System: [')
        then regexp_replace({{ text }}, '^(?:{{ envelope_pattern() }})+', '')
        else {{ text }}
    end
{% endmacro %}
