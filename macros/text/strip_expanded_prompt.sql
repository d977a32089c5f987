{# What was typed for a prompt that a client expanded from a file, without the file's text around it. #}
{% macro strip_expanded_prompt(text) %}
    case
        when starts_with({{ text }}, '## User Input')
        then
            regexp_replace(
                {{ text }},
                '^## User Input\s+```text\r?\n\s*([^\s$`](?s:.*?))\s*\n```\s+'
                || 'You \*\*MUST\*\* consider the user input(?s:.*)$',
                '\1'
            )
        when
            contains({{ text }}, 'ARGUMENTS: ')
            and (
                starts_with({{ text }}, '#')
                or starts_with({{ text }}, 'Base directory for this skill: ')
            )
        then
            regexp_replace(
                {{ text }},
                '^(?s:.*)\n[ \t\r]*\nARGUMENTS: ([^\n]+(?:\n[ \t]*[^\s][^\n]*)*)$',
                '\1'
            )
        when starts_with({{ text }}, '/copy-context')
        then regexp_replace({{ text }}, '^/copy-context\s+([^\s])', '\1')
        else {{ text }}
    end
{% endmacro %}
