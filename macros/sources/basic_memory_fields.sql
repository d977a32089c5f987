{# The fields of a basic-memory note that staging reads, with the types they are read as. #}
{% macro basic_memory_fields() %}
    {{
        return(
            {
                "external_id": "VARCHAR",
                "permalink": "VARCHAR",
                "file_path": "VARCHAR",
                "title": "VARCHAR",
                "note_type": "VARCHAR",
                "entity_type": "VARCHAR",
                "created_at": "VARCHAR",
                "updated_at": "VARCHAR",
                "observation": "JSON",
                "relation": "JSON",
                "note_content": [{"markdown_content": "VARCHAR"}],
                "project": [{"name": "VARCHAR", "path": "VARCHAR"}],
            }
        )
    }}
{% endmacro %}
