{#
    The memory that stands after an operation of Lethe's: the new one, the same one corrected in
    place, or the one that a duplicate repeats. NULL where a supersede puts nothing in its place.
#}
{% macro lethe_result(op, told) %}
    case
        when {{ op }}.op_type = 'add_memory'
        then {{ lethe_named(op, told) }}
        when {{ op }}.op_type = 'supersede_memory'
        then case when {{ told }}.content <> '' then {{ lethe_named(op, told) }} end
        when {{ op }}.op_type = 'correct_memory'
        then
            coalesce(
                nullif({{ op }}.resulting_event_id, ''), {{ lethe_target(op, told) }}
            )
        when {{ op }}.op_type = 'mark_duplicate'
        then
            coalesce(
                nullif({{ told }}.duplicate_of, ''),
                nullif({{ op }}.resulting_event_id, '')
            )
        when {{ op }}.op_type = 'add_relationship'
        then
            coalesce(
                nullif({{ op }}.resulting_event_id, ''),
                nullif({{ told }}.to_memory_id, '')
            )
        else nullif({{ op }}.resulting_event_id, '')
    end
{% endmacro %}
