{#
    What was typed behind a slash command, without the client's tags around the command's name;
    a command with nothing behind it stays as it is.
#}
{% macro strip_command(text) %}
    case
        when
            starts_with({{ text }}, '<command-')
            and contains({{ text }}, '<command-args>')
        then
            regexp_replace(
                {{ text }},
                '^(?:{{ command_name_pattern() }})*'
                || '<command-args>\s*([^\s<](?s:.*?)|<[^/](?s:.*?))\s*</command-args>\s*'
                || '(?:{{ command_name_pattern() }})*',
                '\1' || chr(10) || chr(10)
            )
        else {{ text }}
    end
{% endmacro %}
