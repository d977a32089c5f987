{#
    What the gateway tells its agent before what a person wrote: paragraphs of its log, the token
    of a heartbeat, the report of a restart, the note that a run was aborted.
#}
{% macro gateway_line_pattern() -%}
    {{
        [
            "(?:System(?: \\(untrusted\\))?: \\[[0-9]{4}-[^\\]\\n]*\\][^\\n]*",
            "(?:\\n[ \\t]*[^\\s][^\\n]*)*\\n[ \\t\\r]*\\n\\s*|",
            "(?:Cron: )?HEARTBEAT_OK[ \\t\\r]*\\n[ \\t\\r]*\\n\\s*|",
            "GatewayRestart:\\s*\\{\\r?\\n(?s:.*?)\\n\\}\\s*|",
            "Note: The previous agent run was aborted by the user\\.[^\\n]*\\n[ \\t\\r]*\\n\\s*)",
        ] | join
    }}
{%- endmacro %}
