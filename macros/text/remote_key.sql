{#
    A git remote as host/owner/name in lower case, whichever way it was written: as an address
    with a scheme, a user and a port, or in the short form host:path. NULL for a local path. A
    password is no part of it, also one with a bare slash, which is no port.
#}
{% macro remote_key(remote) %}
    {% set address = "lower(trim(" ~ remote ~ "))" %}
    nullif(
        regexp_extract(
            regexp_replace(
                case
                    when starts_with({{ address }}, 'file:')
                    then null
                    when contains({{ address }}, '://')
                    then
                        regexp_replace(
                            regexp_replace(
                                {{ address }},
                                '^[a-z0-9+.-]+://(?:[^/]*@|[^/:@\[]+:(?:[^/@]*[^/@0-9][^/@]*)?/[^@]*@)?',
                                ''
                            ),
                            '^([^/:]+|\[[^\]]*\]):[0-9]+/',
                            '\1/'
                        )
                    when
                        regexp_matches(
                            {{ address }},
                            '^(?:[^/@:]+@[^/:]+|[a-z0-9-]+(?:\.[a-z0-9-]+)+):'
                        )
                    then
                        regexp_replace(
                            regexp_replace({{ address }}, '^[^/@:]+@', ''),
                            '^([^/:]+):/*',
                            '\1/'
                        )
                end,
                '(?:\.git)?/*$',
                ''
            ),
            '^[^/]*[^/:]/.*[^/].*$'
        ),
        ''
    )
{% endmacro %}
