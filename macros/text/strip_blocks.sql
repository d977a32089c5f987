{#
    Without recalled and private blocks, in any case. A block that is never closed goes to the
    end of the text, but only when its tag opens a line and no code fence is near.
#}
{% macro strip_blocks(text) %}
    case
        when contains({{ text }}, '<')
        then
            case
                when contains({{ text }}, '```')
                then {{ strip_closed_blocks(text) }}
                else
                    regexp_replace(
                        {{ strip_closed_blocks(text) }},
                        '(?is)(^|\n)[ \t]*<(?:relevant-memories|recalled-memories|claude-mem-context|'
                        || 'active_memory_plugin|system-reminder|private)>.*$',
                        '\1'
                    )
            end
        else {{ text }}
    end
{% endmacro %}

{% macro strip_closed_blocks(text) %}
    regexp_replace(
        {{ text }},
        '(?is)(?:\n*Untrusted context \(metadata[^\n]*\):\n)?(?:'
        || '<relevant-memories>.*?</relevant-memories>|<recalled-memories>.*?</recalled-memories>|'
        || '<claude-mem-context>.*?</claude-mem-context>|'
        || '<active_memory_plugin>.*?</active_memory_plugin>|'
        || '<system-reminder>.*?</system-reminder>|<private>.*?</private>)',
        '',
        'g'
    )
{% endmacro %}
