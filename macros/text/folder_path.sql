{# A folder with forward slashes and none at its end, as every project rule reads it. #}
{% macro folder_path(path) %}
    nullif(regexp_replace(replace(trim({{ path }}), chr(92), '/'), '(.)/+$', '\1'), '')
{% endmacro %}
