{#
    What a piece of said text is: a turn, or the kind of machine text that it is. What is said
    to or by a machine (a subagent, a scheduled run) is never a turn.
#}
{% macro said_kind(role, text, is_machine_session) %}
    coalesce(
        case when {{ role }} = 'user' then {{ machine_kind(text) }} end,
        case
            when {{ is_machine_session }} and {{ role }} = 'user'
            then 'prompt'
            when {{ is_machine_session }}
            then 'system'
        end,
        'turn'
    )
{% endmacro %}
