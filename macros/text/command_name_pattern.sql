{# Claude Code's tags around the name of a command and what the command says of itself. #}
{% macro command_name_pattern() -%}
    {{
        [
            "<command-(?:name|message|contents)>(?s:.*?)",
            "</command-(?:name|message|contents)>\\s*",
        ] | join
    }}
{%- endmacro %}
