{#
    Without recalled and private blocks, and the line that announces one; see `without_blocks`.
    Where a block stood, what was apart stays apart. Of a text of more than a thousand tags, which
    nobody wrote, only what stands before the first is kept.
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
            not contains({{ text }}, '<')
            or not regexp_matches({{ text }}, '{{ block_tag_pattern() }}')
        then {{ text }}
        when
            length({{ text }}) > 8000
            and len(regexp_extract_all({{ text }}, '{{ block_tag_pattern() }}')) > 1000
        then regexp_extract({{ text }}, '^((?s:.*?)){{ block_tag_pattern() }}', 1)
        else
            replace(
                regexp_replace(
                    regexp_replace(
                        {{ without_blocks(announced, block_tag_pattern()) }},
                        '(^|\s)\x01+',
                        '\1',
                        'g'
                    ),
                    '\x01+(\s|$)',
                    '\1',
                    'g'
                ),
                chr(1),
                ' '
            )
    end
{% endmacro %}
