{# The memory that an operation of Lethe's acts on: its column, else what its payload calls it. #}
{% macro lethe_target(op, told) %}
    coalesce(
        nullif({{ op }}.target_event_id, ''),
        case
            when {{ op }}.op_type = 'mark_duplicate'
            then {{ told }}.duplicate_id
            when {{ op }}.op_type = 'add_relationship'
            then {{ told }}.from_memory_id
            when {{ op }}.op_type = 'correct_memory'
            then {{ lethe_named(op, told) }}
        end
    )
{% endmacro %}
