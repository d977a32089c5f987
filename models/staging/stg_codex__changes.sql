with
    events as (select * from {{ ref("stg_codex__events") }}),

    -- A fork that takes back a turn which it only copied does not take it from its
    -- parent.
    retracted as (
        select
            native_id,
            {{ json_string("metadata", "$.rolled_back_by") }} as rolled_back_by,
            {{ json_string("metadata", "$.rolled_back_at") }} as rolled_back_at
        from events
        where
            event_kind = 'turn'
            and contains(metadata, '"rolled_back_by"')
            and not contains(metadata, '"is_replay"')
    ),

    operations as (
        select native_id, rolled_back_by, min(rolled_back_at) as rolled_back_at
        from retracted
        group by native_id, rolled_back_by
    ),

    changes as (
        select
            {{ id_from(["'codex'", "rolled_back_by", "native_id"]) }} as change_id,
            'codex' as source_system,
            native_id as target_native_id,
            null::varchar as replacement_native_id,
            'retire' as kind,
            'the thread was rolled back behind this turn' as reason,
            'user' as actor,
            rolled_back_at::timestamp as occurred_at,
            {{ json_object_of({"operation": "rolled_back_by"}) }} as metadata
        from operations
    )

select *
from changes
