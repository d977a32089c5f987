{# The last two names of a folder path; a drive's root is `drive-X`. #}
{% macro parent_and_name(path) %}
    case
        when regexp_matches({{ path }}, '^[A-Za-z]:/?$')
        then 'drive-' || upper(left({{ path }}, 1))
        else {{ first_match(path, "([^/]+/[^/]+|[^/]+)/*$") }}
    end
{% endmacro %}
