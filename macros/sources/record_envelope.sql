{# A raw relation's envelope without its payload, and the kind that the payload says it is. #}
{% macro record_envelope(relation, source_entity, kind_path) %}
    select
        '{{ source_entity }}' as source_entity,
        record_id,
        container,
        origin,
        position,
        origin_modified_at,
        landed_at,
        landing_id,
        coalesce(
            regexp_extract(
                {{ json_string(readable_json("payload"), kind_path) }},
                '^[A-Za-z][A-Za-z_-]{0,40}$'
            ),
            'unreadable'
        ) as record_kind
    from {{ relation }}
{% endmacro %}
