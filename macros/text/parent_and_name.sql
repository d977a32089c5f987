{# The last two names of a folder path; a drive's root is `drive-X`, in upper case. #}
{% macro parent_and_name(path) %}
    case
        when regexp_matches({{ path }}, '^[A-Za-z]:(/[^/]*)?/*$')
        then rtrim('drive-' || upper(left({{ path }}, 1)) || substr({{ path }}, 3), '/')
        else {{ first_match(path, "([^/]+/[^/]+|[^/]+)/*$") }}
    end
{% endmacro %}
