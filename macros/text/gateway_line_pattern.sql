{#
    What the gateway tells its agent before what a person wrote: paragraphs of its log, the token
    of a heartbeat, the report of a restart.
#}
{% macro gateway_line_pattern() -%}
    {{
        [
            "(?:System(?: \\(untrusted\\))?: \\[[0-9]{4}-[^\\]\\n]*\\][^\\n]*",
            "(?:\\n[ \\t]*[^\\s][^\\n]*)*\\n[ \\t\\r]*\\n\\s*|",
            "(?:Cron: )?HEARTBEAT_OK[ \\t\\r]*\\n[ \\t\\r]*\\n\\s*|",
            "GatewayRestart:\\s*\\{\\r?\\n(?s:.*?)\\n\\}\\s*)",
        ] | join
    }}
{%- endmacro %}
