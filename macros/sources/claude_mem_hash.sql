{# What claude-mem tells observations of a session apart by: half of the sha256's first half, in hex, of texts with NUL between them. #}
{% macro claude_mem_hash(texts) %}
    left(
        {{
            sha256_hex(
                "concat_ws(chr(0), coalesce("
                ~ (texts | join(", ''), coalesce("))
                ~ ", ''))"
            )
        }},
        16
    )
{% endmacro %}
