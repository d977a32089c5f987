{#
    The messages of a text: those of a queue bundle one by one, else the text itself. The
    gateway writes a bundle when messages arrive while the agent is busy.
#}
{% macro queued_messages(text) %}
    case
        when starts_with(ltrim({{ text }}), '[Queued messages while agent was busy]')
        then {{ split_on(text, "\\n+---\\nQueued #[0-9]+[^\\n]*\\n") }} [2:]
        else [{{ text }}]
    end
{% endmacro %}
