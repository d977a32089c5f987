{#
    The names of the ladder's rungs in their order. Metadata goes before words; what a client
    writes in a user's name goes after it, and only there; tags and tokens are the agent's words,
    and a user who writes one speaks of it.
#}
{% macro ladder_rungs() -%}
    {{
        [
            "trim|header|envelope|metadata block|message id|recalled or private block|",
            "recalled list|nested prefix|tool advice|audit|media mark|queue|gateway line|command|",
            "client block|expanded prompt|reply tag|trim|silent token|trim",
        ] | join
    }}
{%- endmacro %}
