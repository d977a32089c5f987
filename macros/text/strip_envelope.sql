{# Without the channel and time envelopes, or an editor's report, at its beginning. #}
{% macro strip_envelope(text) %}
    case
        when starts_with({{ text }}, '[') or starts_with({{ text }}, 'System: [')
        then regexp_replace({{ text }}, '^(?:{{ envelope_pattern() }})+', '')
        when starts_with({{ text }}, '# Context from my IDE setup:')
        then
            regexp_replace(
                {{ text }},
                '^# Context from my IDE setup:[\s\S]*?\n## My request for Codex:\s*',
                ''
            )
        else {{ text }}
    end
{% endmacro %}
