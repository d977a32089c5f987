{# Whether a folder is no project: a home, a temporary folder, an agent's workspace, the root. #}
{% macro is_nowhere(path) %}
    regexp_matches(
        {{ path }},
        '(?i)^(?:/|~|/root|/var/root|/(?:home|Users)(?:/[^/]+)?|[A-Za-z]:/Users(?:/[^/]+)?|'
        || '(?:/private)?(?:/tmp|/var/tmp|/var/folders)(?:/.*)?|[A-Za-z]:/.*/AppData/Local/Temp(?:/.*)?|'
        || '.*/\.(?:openclaw|clawdbot|moltbot)/workspace[^/]*(?:/.*)?|/app/workspace(?:/.*)?)$'
    )
{% endmacro %}
