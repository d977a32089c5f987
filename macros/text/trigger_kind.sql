{#
    What started a session, as its key says; NULL where a person did. A heartbeat is a suffix. The
    agent's own name is no trigger: an agent may be called cron.
#}
{% macro trigger_kind(session_key) %}
    {% set path = "regexp_replace(lower(" ~ session_key ~ "), '^agent:[^:]*:', '')" %}
    case
        when regexp_matches({{ path }}, '(^|:)cron:')
        then 'cron'
        when regexp_matches({{ path }}, '(^|:)heartbeat(:|$)')
        then 'heartbeat'
        when regexp_matches({{ path }}, '(^|:)hook:')
        then 'hook'
        when regexp_matches({{ path }}, '(^|:)subagent:')
        then 'subagent'
    end
{% endmacro %}
