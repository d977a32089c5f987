{#
    The messages of a text: those of a queue bundle one by one, else the text itself. The
    gateway writes a bundle when messages arrive while the agent is busy.
#}
{% macro queued_messages(text) %}
    case
        when
            starts_with(ltrim({{ text }}), '[Queued messages while agent was busy]')
            and regexp_matches({{ text }}, '\n---\n+Queued #[0-9]+[^\n]*\n')
        then
            list_filter(
                {{
                    split_on(
                        "replace("
                        ~ text
                        ~ ", '[Queued messages while agent was busy]', '')",
                        "\\n+---\\n+Queued #[0-9]+[^\\n]*\\n",
                    )
                }},
                lambda message:regexp_matches(message, '\S')
            )
        else [{{ text }}]
    end
{% endmacro %}
