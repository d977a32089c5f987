{#
    A session key in lower case without its agent: what is left says what started the session.
    The agent's own name is no part of it, since an agent may be called cron, and neither is the
    name of a chat, a topic or a thread. Empty parts count for nothing.
#}
{% macro session_path(session_key) %}
    regexp_replace(
        regexp_replace(
            lower({{ trim_white_space(session_key) }}), '^:*agent:+[^:]*(?::+|$)', ''
        ),
        '(^|:)(direct|dm|group|channel|room|topic|thread):+[^:]+',
        '\1\2',
        'g'
    )
{%- endmacro %}
