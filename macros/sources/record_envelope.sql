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
            case
                when json_valid(payload) then {{ json_string("payload", kind_path) }}
            end,
            'unreadable'
        ) as record_kind
    from {{ relation }}
{% endmacro %}
