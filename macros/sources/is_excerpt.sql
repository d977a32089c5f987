{# Whether a memory file's lines, in a window, are what OpenClaw copied from a session at its end. #}
{% macro is_excerpt() %}
    coalesce(
        bool_or(
            line_kind = 'heading'
            and {{ matches("line", "^# Session: [0-9]{4}-[0-9]{2}-[0-9]{2}\\b") }}
        ) over (partition by record_id),
        false
    )
{% endmacro %}
