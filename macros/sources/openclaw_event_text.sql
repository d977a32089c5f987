{# The transcript line in a row of OpenClaw's database; newer schemas pack it into a column of its own. #}
{% macro openclaw_event_text(payload) %}
    coalesce(
        {{ json_string(readable_json(payload), "$.event_json") }},
        {{ json_string(readable_json(payload), "$.event_zstd") }}
    )
{% endmacro %}
