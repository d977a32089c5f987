{#
    What stands in a Codex line, wrapped or bare: its kinds, and the fields that say something. A
    bare line is an item, the head of its file, or a mark.
#}
{% macro codex_item() %}
    case
        when entry.payload is not null
        then entry.type
        when entry.type is not null
        then 'response_item'
        when entry.id is not null
        then 'session_meta'
        else entry.record_type
    end as line_type,
    case
        when entry.payload is not null then entry.payload.type else entry.type
    end as item_type,
    {% for field in [
        "role",
        "content",
        "message",
        "text",
        "summary",
        "replacement_history",
        "name",
        "call_id",
        "arguments",
        "input",
        "action",
        "output",
        "item",
        "num_turns",
        "phase",
        "turn_id",
        "cwd",
    ] %}
        {{ codex_field(field) }} as {{ field }}{{ "," if not loop.last }}
    {% endfor %}
{% endmacro %}
