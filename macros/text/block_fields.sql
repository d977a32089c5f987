{# The fields of a content block, whichever agent wrote it, as one struct; a bare string is a text block. #}
{% macro block_fields(block) %}
    {{
        json_fields(
            "case when json_type("
            ~ block
            ~ ") = 'VARCHAR' then json_object('type', 'text', 'text', "
            ~ json_string(block, "$")
            ~ ") else "
            ~ block
            ~ " end",
            {
                "type": "VARCHAR",
                "text": "VARCHAR",
                "thinking": "VARCHAR",
                "name": "VARCHAR",
                "input": "JSON",
                "arguments": "JSON",
                "content": "JSON",
            },
        )
    }}
{% endmacro %}
