{# The columns of Memory Git's records that hold what a person or an agent wrote. #}
{% macro memory_git_names() %}
    {{
        return(
            [
                "ref_name",
                "target_id",
                "result_id",
                "memory_id",
                "event_id",
                "duplicate_id",
                "original_id",
                "from_memory_id",
                "to_memory_id",
                "content",
                "memory_kind",
                "event_type",
                "scope",
                "visibility",
                "tags_text",
            ]
        )
    }}
{% endmacro %}
