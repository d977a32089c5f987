{# What started a session, as its key says; NULL where a person did. A heartbeat is a suffix. #}
{% macro trigger_kind(session_key) %}
    case
        when regexp_matches({{ session_key }}, '(?i)(^|:)cron:')
        then 'cron'
        when regexp_matches({{ session_key }}, '(?i):heartbeat(:|$)')
        then 'heartbeat'
        when regexp_matches({{ session_key }}, '(?i)(^|:)hook:')
        then 'hook'
        when regexp_matches({{ session_key }}, '(?i)(^|:)subagent:')
        then 'subagent'
    end
{% endmacro %}
