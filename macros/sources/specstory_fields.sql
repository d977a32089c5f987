{# The fields of a section of a SpecStory history, with the types they are read as. #}
{% macro specstory_fields() %}
    {{
        return(
            {
                "folder": "VARCHAR",
                "tool": "VARCHAR",
                "session": "VARCHAR",
                "started": "VARCHAR",
                "number": "VARCHAR",
                "text": "VARCHAR",
            }
        )
    }}
{% endmacro %}
