{# Without prefixes that came to light when what stood before them went, however they are nested. #}
{% macro strip_nested_prefixes(text) %}
    case
        when
            starts_with({{ text }}, '[')
            or starts_with({{ text }}, 'System: [')
            or starts_with({{ text }}, 'Delivery: ')
            or contains(left({{ text }}, 80), 'Relevant context recalled')
            or contains(left({{ text }}, 80), '(untrusted')
        then
            regexp_replace(
                {{ text }},
                '^(?:{{ header_pattern() }}|{{ envelope_pattern() }}|{{ metadata_pattern() }}'
                || '|{{ recalled_list_pattern() }}'
                || '|\[(?i:message_id): [^\]\n]*\][ \t\r]*(?:\n|$)\s*'
                || '|Delivery: [^\n]*`message` tool[^\n]*\n\s*)+',
                ''
            )
        else {{ text }}
    end
{% endmacro %}
