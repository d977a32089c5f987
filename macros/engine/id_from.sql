{# An id: the sha256 hex of the compact JSON array of its parts, NULL as null. #}
{% macro id_from(parts) %}
    sha256(json_array({{ parts | join(", ") }})::varchar)
{% endmacro %}
