{#
    A session key in lower case without its agent: what is left says what started the session.
    The agent's own name is no part of it, since an agent may be called cron.
#}
{% macro session_path(session_key) %}
    regexp_replace(lower(trim({{ session_key }})), '^agent:[^:]*:', '')
{% endmacro %}
