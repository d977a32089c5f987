{#
    The channel and time envelopes, `[Telegram … 2026-06-01T10:05Z] `, and the gateway's line on
    its connection, which stands before what the user wrote. A bracket that holds neither a
    channel nor a date with a time is the user's own.
#}
{% macro envelope_pattern() -%}
    {{
        [
            "System: \\[[^\\]\\n]*\\] [A-Za-z]+ gateway (?:dis)?connected[^\\n]*\\n\\s*|",
            "\\[(?:(?:BlueBubbles|Discord|Google Chat|iMessage|Matrix|Mattermost|",
            "Microsoft Teams|Nostr|Signal|Slack|Telegram|Tlon|Twitch|WebChat|",
            "WhatsApp|Zalo Personal|Zalo) [^\\]\\n]*|",
            "[^\\]\\n]*[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}[^\\]\\n]*)\\](?:\\s+|$)",
        ] | join
    }}
{%- endmacro %}
