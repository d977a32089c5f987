{# The columns of a hive-mind frame that staging reads, with the types they are read as. #}
{% macro hive_mind_fields() %}
    {{
        return(
            {
                "id": "VARCHAR",
                "gop_id": "VARCHAR",
                "base_frame_id": "VARCHAR",
                "frame_type": "VARCHAR",
                "content": "VARCHAR",
                "importance": "VARCHAR",
                "source": "VARCHAR",
                "access_count": "VARCHAR",
                "created_at": "VARCHAR",
                "metadata": "VARCHAR",
            }
        )
    }}
{% endmacro %}
