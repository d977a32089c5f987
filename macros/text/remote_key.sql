{# A git remote as host/owner/name, whichever way it was written; NULL for a local path. #}
{% macro remote_key(remote) %}
    case
        when regexp_matches({{ remote }}, '^(?:[a-z+]+://|[^/@]+@)')
        then
            lower(
                regexp_replace(
                    regexp_replace(
                        regexp_replace(
                            {{ remote }}, '^[a-z+]+://(?:[^/@]*@)?|^[^/@]+@', ''
                        ),
                        '^([^/:]+):(?:[0-9]+/)?/*',
                        '\1/'
                    ),
                    '(?:\.git)?/*$',
                    ''
                )
            )
    end
{% endmacro %}
