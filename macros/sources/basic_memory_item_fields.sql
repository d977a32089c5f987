{# The fields of an observation or a relation of a basic-memory note. #}
{% macro basic_memory_item_fields() %}
    {{
        return(
            {
                "category": "VARCHAR",
                "content": "VARCHAR",
                "context": "VARCHAR",
                "tags": "VARCHAR",
                "relation_type": "VARCHAR",
                "to_name": "VARCHAR",
            }
        )
    }}
{% endmacro %}
