{# Whether a trigger is a timer or a hook rather than a person. #}
{% macro is_machine_trigger(trigger) %}
    coalesce(
        lower({{ trigger }}) in (
            'cron',
            'heartbeat',
            'automation',
            'schedule',
            'hook',
            'memory',
            'memory_flush',
            'session_start'
        ),
        false
    )
{% endmacro %}
