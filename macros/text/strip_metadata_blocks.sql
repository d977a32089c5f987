{#
    Without the gateway's metadata: sentinel lines with their JSON fence, a delivery hint, and
    the block of untrusted context that repeats what a channel says of itself.
#}
{% macro strip_metadata_blocks(text) %}
    case
        when contains({{ text }}, 'ntrusted') or starts_with({{ text }}, 'Delivery: ')
        then
            regexp_replace(
                regexp_replace(
                    {{ text }}, '(^|\n)(?:{{ metadata_pattern() }})+', '\1', 'g'
                ),
                '^Delivery: [^\n]*`message` tool[^\n]*\n\s*|'
                || '\n*Untrusted context \(metadata[^\n]*\):\n<<<EXTERNAL_UNTRUSTED_CONTENT[^\n]*>>>\n'
                || '(?s:.*?)<<<END_EXTERNAL_UNTRUSTED_CONTENT[^\n]*>>>',
                '',
                'g'
            )
        else {{ text }}
    end
{% endmacro %}
