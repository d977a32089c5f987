{#
    What a piece of said text is: a turn, or the kind of machine text that it is. What is said
    to or by a machine (a subagent, a scheduled run) is never a turn. A client may write around
    what a person said: that is machine text only where nothing else is left after the ladder.
#}
{% macro said_kind(role, text, is_machine_session) %}
    coalesce(
        case when {{ role }} = 'user' then {{ kind_of_wrapped(text) }} end,
        case
            when {{ is_machine_session }} and {{ role }} = 'user'
            then 'prompt'
            when {{ is_machine_session }}
            then 'system'
        end,
        'turn'
    )
{% endmacro %}
