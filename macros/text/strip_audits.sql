{# Without the gateway's audits after a compaction, where more was said. #}
{% macro strip_audits(text) %}
    case
        when contains({{ text }}, 'Post-Compaction Audit:')
        then {{ unless_empty(replace_all(text, audit_pattern(), "\\1"), text) }}
        else {{ text }}
    end
{% endmacro %}
