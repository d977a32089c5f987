{#
    The items of a claude-mem list column as a list of JSON texts: JSON arrays are stored as text,
    older rows hold plain text, which is one item, and other schemas hold arrays themselves.
#}
{% macro claude_mem_items(column) %}
    case
        when json_type({{ column }}) = 'ARRAY'
        then {{ json_items(column) }}
        when json_type({{ readable_json(json_string(column, "$")) }}) = 'ARRAY'
        then {{ json_items(readable_json(json_string(column, "$"))) }}
        when json_type({{ readable_json(json_string(column, "$")) }}) = 'VARCHAR'
        then [to_json({{ json_string(readable_json(json_string(column, "$")), "$") }})]
        else [to_json({{ json_string(column, "$") }})]
    end
{% endmacro %}
