{# A JSON object with the named expressions added, as text; fields that are NULL are left out. #}
{% macro json_with(json_text, fields) %}
    json_merge_patch({{ json_text }}, {{ json_object_of(fields) }})::varchar
{% endmacro %}
