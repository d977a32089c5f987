{# The rows of a relation as JSON texts that say which entity they are of, beside their project. #}
{% macro memory_git_rows(relation, entity, columns) %}
    {% set fields = {"entity": "'" ~ entity ~ "'", "project_id": "project_id"} %}
    {% for column in columns %} {% do fields.update({column: column}) %} {% endfor %}
    select project_id, {{ json_object_of(fields) }} as row_text
    from {{ relation }}
    where project_id is not null
{% endmacro %}
