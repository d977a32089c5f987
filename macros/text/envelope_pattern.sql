{#
    The channel and time envelopes, `[Telegram … 2026-06-01T10:05Z] `, and the gateway's line on
    its connection, which stands before what the user wrote. A channel is followed by a name, a
    number, a handle or an id, and a time ends its bracket; any other bracket is the user's own.
#}
{% macro envelope_pattern() -%}
    {{
        [
            "System: \\[[^\\]\\n]*\\] [A-Za-z]+ gateway (?:dis)?connected[^\\n]*\\n\\s*|",
            "\\[(?:(?:BlueBubbles|Discord|Google Chat|iMessage|Matrix|Mattermost|",
            "Microsoft Teams|Nostr|Signal|Slack|Telegram|Tlon|Twitch|WebChat|",
            "WhatsApp|Zalo Personal|Zalo) (?:[\\p{Lu}\\p{Lo}0-9+#@][^\\]\\n]*|room|",
            "[^\\]\\s]*[0-9_@#:+][^\\]\\n]*|[^\\]\\n]* id:[^\\]\\n]*)|",
            "[^\\]\\n]*[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}[0-9:]*",
            "(?:Z|[+-][0-9:]+|\\s?(?:[A-Z]{2,5}|GMT[+-]?[0-9:]*))?)\\](?:\\s+|$)",
        ] | join
    }}
{%- endmacro %}
