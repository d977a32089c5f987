{#
    Whether a folder is no project: a home, a temporary folder, an agent's own folders, the root,
    a place that only the one who was there could know.
#}
{% macro is_nowhere(path) %}
    regexp_matches(
        {{ path }},
        '(?i)^(?:/|~|\.\.?(?:/.*)?|/root|/var/root|(?:/mnt/[a-z]|/cygdrive/[a-z]|/[a-z]|/var|/usr|/export|//wsl[^/]*/[^/]+)?/(?:home|Users)(?:/[^/]+)?|'
        || '[A-Z]:/Users(?:/[^/]+)?|(?:/data/data/com\.termux/files)?/home|'
        || '(?:/private|/data/data/com\.termux/files/usr|//wsl[^/]*/[^/]+)?(?:/tmp|/var/tmp|/var/folders)(?:/.*)?|'
        || '(?:/dev/shm|/run/user/[0-9]+)(?:/.*)?|[A-Z]:/(?:Windows/)?te?mp(?:/.*)?|'
        || '(?:[A-Z]:|/mnt/[a-z]|/cygdrive/[a-z]|/[a-z])/.*/AppData/Local/Temp(?:/.*)?|'
        || '.*/\.(?:openclaw|clawdbot|moltbot)/workspace[^/]*(?:/.*)?|/app/workspace(?:/.*)?|'
        || '.*/\.(?:claude-mem|claude/plugins)(?:/.*)?)$'
    )
{% endmacro %}
