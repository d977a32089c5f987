{#
    The named fields of a JSON text as one struct, parsed once. `fields` maps a name to a type:
    'VARCHAR', 'BOOLEAN', 'JSON' or a nested mapping. A field of another type is NULL.
#}
{% macro json_fields(json_text, fields) %}
    json_transform({{ json_text }}, '{{ tojson(fields) }}')
{% endmacro %}
