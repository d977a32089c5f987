{#
    Whether a trigger is a timer or a hook rather than a person, in any case and spelling:
    `Memory flush` is `memory_flush`.
#}
{% macro is_machine_trigger(trigger) %}
    coalesce(
        regexp_replace(lower({{ trim_white_space(trigger) }}), '[\s_-]+', '_', 'g') in (
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
