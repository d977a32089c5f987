{# The memory that an operation of Lethe's makes: its column, its payload, else its own number. #}
{% macro lethe_named(op, told) %}
    coalesce(
        nullif({{ op }}.resulting_event_id, ''),
        nullif({{ told }}.memory_id, ''),
        nullif({{ told }}.event_id, ''),
        'mem:' || {{ op }}.changeset_id || ':' || {{ op }}.ordinal
    )
{% endmacro %}
