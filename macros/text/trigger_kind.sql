{# What started a session, as its key says; NULL where a person did. A heartbeat is a suffix. #}
{% macro trigger_kind(session_key) %}
    case
        when regexp_matches({{ session_path(session_key) }}, '(^|:)cron:')
        then 'cron'
        when regexp_matches({{ session_path(session_key) }}, '(^|:)heartbeat(:|$)')
        then 'heartbeat'
        when regexp_matches({{ session_path(session_key) }}, '(^|:)hook:')
        then 'hook'
        when regexp_matches({{ session_path(session_key) }}, '(^|:)subagent:')
        then 'subagent'
    end
{% endmacro %}
