{#
    What started a session, as its key says; NULL where a person did. A heartbeat is a suffix of
    the key that it beats for, everything else stands before the name of what started it.
#}
{% macro trigger_kind(session_key) %}
    {%- set path = session_path(session_key) -%}
    case
        when
            not regexp_matches(
                {{ session_key }},
                '(?i)cron|heartbeat|automation|schedule|hook|memory|subagent'
            )
        then null
        when regexp_matches({{ path }}, '(^|:)cron:')
        then 'cron'
        when regexp_matches({{ path }}, '(^|:)heartbeat(:|$)')
        then 'heartbeat'
        when regexp_matches({{ path }}, '(^|:)hook:')
        then 'hook'
        when regexp_matches({{ path }}, '(^|:)automation:')
        then 'automation'
        when regexp_matches({{ path }}, '(^|:)schedule:')
        then 'schedule'
        when regexp_matches({{ path }}, '(^|:)memory[_-]flush(:|$)')
        then 'memory_flush'
        when regexp_matches({{ path }}, '(^|:)subagent:')
        then 'subagent'
    end
{% endmacro %}
