{# The gateway's marks of what is attached, at the ends of a line. #}
{% macro media_pattern() -%}
    {{
        [
            "(?m)^[ \\t]*(?:\\[media attached(?: [0-9]+/[0-9]+)?:[^\\]\\n]*\\]\\s*)+|",
            "\\s*\\[media attached(?: [0-9]+/[0-9]+)?:[^\\]\\n]*\\][ \\t]*$",
        ] | join
    }}
{%- endmacro %}
