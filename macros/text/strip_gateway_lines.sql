{#
    Without the gateway's lines before what a person wrote. Where a scheduled prompt follows, or
    the lines are one that goes on for paragraphs, no person wrote anything.
#}
{% macro strip_gateway_lines(text) %}
    case
        when
            (
                starts_with({{ text }}, 'System')
                or starts_with({{ text }}, 'Cron: HEARTBEAT_OK')
                or starts_with({{ text }}, 'HEARTBEAT_OK')
                or starts_with({{ text }}, 'GatewayRestart:')
                or starts_with({{ text }}, 'Note: The previous agent run was aborted')
            )
            and not regexp_matches(
                {{ text }},
                '\n(?:A scheduled (?:reminder has been|cron event was) triggered'
                || '|Please relay this reminder|Handle this reminder internally'
                || '|Read HEARTBEAT\.md if it exists)|\[Post-compaction context refresh\]'
            )
        then
            {{
                unless_empty(
                    replace_all(text, "^" ~ gateway_line_pattern() ~ "+", ""), text
                )
            }}
        else {{ text }}
    end
{% endmacro %}
