{#
    The last two names of a folder path; a drive's root is `drive-X`, in upper case. NULL where
    they would be no key: names of white space alone, and the name of the unknown project.
#}
{% macro parent_and_name(path) %}
    {%- set names -%}
        {{ first_match(path, "([^/]+/[^/]+|[^/]+)/*$") }}
    {%- endset -%}
    case
        when regexp_matches({{ path }}, '^[A-Za-z]:(/[^/]*)?/*$')
        then rtrim('drive-' || upper(left({{ path }}, 1)) || substr({{ path }}, 3), '/')
        when {{ trim_white_space("replace(" ~ path ~ ", '/', ' ')") }} <> ''
        then nullif({{ names }}, 'unknown-project')
    end
{% endmacro %}
