{#
    A folder as every project rule reads it: forward slashes, none at its end, no `.` and `..`,
    composed letters, the home of another user spelled out. NULL for what names no folder.
#}
{% macro folder_path(path) %}
    {%- set slashed -%}
        regexp_replace(
            regexp_replace(
                replace({{ composed(trim_white_space(path)) }}, chr(92), '/'),
                '^//[?.]/(?:UNC/)?',
                ''
            ),
            '^~([^/]+)',
            '/home/\1'
        )
    {%- endset -%}
    nullif(regexp_replace({{ resolved_path(slashed) }}, '(.)/+$', '\1'), '')
{% endmacro %}
