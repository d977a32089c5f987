{# The columns of an archived item of hive-mind that staging reads, with the types they are read as. #}
{% macro hive_mind_archive_fields() %}
    {{
        return(
            {
                "archive_uid": "VARCHAR",
                "source": "VARCHAR",
                "source_ref": "VARCHAR",
                "title": "VARCHAR",
                "content": "VARCHAR",
                "injection_flagged": "VARCHAR",
                "source_timestamp": "VARCHAR",
                "created_at": "VARCHAR",
                "erased_at": "VARCHAR",
                "erased_reason": "VARCHAR",
            }
        )
    }}
{% endmacro %}
