{#
    The gateway's metadata before a message: a sentinel line with its JSON fence. In a fence of
    several lines a closing mark opens a line, since JSON has no raw line ends in its texts.
#}
{% macro metadata_pattern() -%}
    {{
        [
            "(?:Conversation info|Sender|Thread starter|Reply (?:target|chain) of current user message|",
            "Replied message|Forwarded message context|Chat history since last reply|Location)",
            " ?\\(untrusted[^\\n)]*\\):(?:\\r?\\n```json\\r?\\n[{\\[](?s:.*?)\\n```|",
            "[ \\t]*```json[ \\t]*[{\\[][^\\n]*?[}\\]][ \\t]*```)\\s*",
        ] | join
    }}
{%- endmacro %}
