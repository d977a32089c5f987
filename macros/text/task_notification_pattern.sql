{# Claude Code's report of a background task, with the line behind it that says where the rest is. #}
{% macro task_notification_pattern() -%}
    {{
        (
            "<task-notification(?: [^<>\\n]*)?>"
            ~ until_pattern("</task-notification>")
            ~ "</task-notification>(?:\\s*(?:Read the output file|Full transcript)[^\\n]*)?"
        )
    }}
{%- endmacro %}
