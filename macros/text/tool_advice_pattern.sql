{#
    What the gateway writes into a text for its agent: how to send an image back, and the calls
    that another model made.
#}
{% macro tool_advice_pattern() -%}
    {{
        [
            "To send an image back, prefer the message tool(?s:.*?)Keep caption in the text body\\.\\s*|",
            "\\[Historical context: a different model called tool (?s:.*?)",
            "Do not mimic this format - use proper function calling\\.\\]",
        ] | join
    }}
{%- endmacro %}
