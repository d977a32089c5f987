{#
    The agent in a session key, `agent:<name>:<rest>`, in lower case; NULL where the key names
    none. Empty parts count for nothing, and a key without a rest is none.
#}
{% macro session_agent(session_key) %}
    nullif(
        {{
            trim_white_space(
                "regexp_extract(lower("
                ~ trim_white_space(session_key)
                ~ "), '^:*agent:+([^:]+):+[^:]', 1)"
            )
        }},
        ''
    )
{%- endmacro %}
