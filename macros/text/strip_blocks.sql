{#
    Without recalled and private blocks, and the line that announces one; see `without_blocks`.
    Two words that a block stood between stay two.
#}
{% macro strip_blocks(text) %}
    {% set announced -%}
        regexp_replace(
            {{ text }},
            '\n*Untrusted context \(metadata[^\n]*\):\n(<active_memory_plugin>)',
            '\1',
            'g'
        )
    {%- endset %}
    case
        when
            contains({{ text }}, '<')
            and regexp_matches({{ text }}, '{{ block_tag_pattern() }}')
        then
            replace(
                regexp_replace(
                    {{ without_blocks(announced, block_tag_pattern()) }},
                    '([A-Za-z0-9_])\x01([A-Za-z0-9_])',
                    '\1 \2',
                    'g'
                ),
                chr(1),
                ''
            )
        else {{ text }}
    end
{% endmacro %}
