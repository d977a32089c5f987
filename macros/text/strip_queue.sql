{#
    Without the frame around messages that arrived while the agent was busy, and the prefix of
    each: what was said stays, one message after the other. A frame's header stands on a line of its
    own; behind one that does not, a person asks about it.
#}
{% macro strip_queue(text) %}
    case
        when
            starts_with({{ text }}, '[Queued messages while agent was busy]')
            and regexp_matches(
                {{ text }}, '^\[Queued messages while agent was busy\][ \t\r]*(?:\n|$)'
            )
        then
            regexp_replace(
                regexp_replace(
                    {{ text }},
                    '\n*(?:^|\n)---\n+Queued #[0-9]+[^\n]*\n\s*(?:{{ envelope_pattern() }})*',
                    chr(10) || chr(10),
                    'g'
                ),
                '^\[Queued messages while agent was busy\]\s*',
                ''
            )
        else {{ text }}
    end
{% endmacro %}
