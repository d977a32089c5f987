{#
    A raw relation's envelope without its payload, and the kind that the payload says it is; where
    all records of an entity are of one kind (no path), that is `row`. The kind is told in the
    payload, or in a text inside of it.
#}
{% macro record_envelope(relation, source_entity, kind_path=none, told_in="payload") %}
    select
        '{{ source_entity }}' as source_entity,
        record_id,
        container,
        origin,
        position,
        origin_modified_at,
        landed_at,
        landing_id,
        {% if kind_path is none %} 'row' as record_kind
        {% else %}
            coalesce(
                regexp_extract(
                    {{ json_string(readable_json(told_in), kind_path) }},
                    '^[A-Za-z][A-Za-z_-]{0,40}$'
                ),
                'unreadable'
            ) as record_kind
        {% endif %}
    from {{ relation }}
{% endmacro %}
