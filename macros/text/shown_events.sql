{# A from clause: events with those of their names that both verdicts show. #}
{% macro shown_events(events, names) %}
    {{
        with_shown(
            events,
            names,
            ["native_id", "session_id", "session_key", "origin", "container"],
        )
    }}
{% endmacro %}
