{# Without the gateway's audits after a compaction, where more was said. #}
{% macro strip_audits(text) %}
    case
        when contains({{ text }}, 'Post-Compaction Audit:')
        then
            {{
                unless_empty(
                    "regexp_replace("
                    ~ text
                    ~ ", '"
                    ~ audit_pattern()
                    ~ "', '\\1', 'g')",
                    text,
                )
            }}
        else {{ text }}
    end
{% endmacro %}
