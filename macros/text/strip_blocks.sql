{# Without recalled and private blocks, and the line that announces one; see `without_blocks`. #}
{% macro strip_blocks(text) %}
    case
        when
            contains({{ text }}, '<')
            and regexp_matches({{ text }}, '{{ block_tag_pattern() }}')
        then
            {{
                without_blocks(
                    "regexp_replace("
                    ~ text
                    ~ ", '\\n*Untrusted context \\(metadata[^\\n]*\\):\\n(<active_memory_plugin>)', '\\1', 'g')",
                    block_tag_pattern(),
                )
            }}
        else {{ text }}
    end
{% endmacro %}
