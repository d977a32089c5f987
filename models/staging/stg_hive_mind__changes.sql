-- What a mind declares over: frames that it deprecates, and
-- subjects that it erased. A partial frame (P) adds to its
-- base and a bridge (B) links frames: neither replaces any.
with
    frames as (select * from {{ ref("stg_hive_mind__events") }}),

    archived_items as (select * from {{ ref("stg_hive_mind__archived_items") }}),

    events as (
        select *
        from frames
        union all
        select *
        from archived_items
    ),

    records as (select * from {{ source("hive_mind", "memory_frames") }}),

    erasures as (select * from {{ ref("stg_hive_mind__erasures") }}),

    sighted as (
        select
            events.native_id,
            events.source_entity,
            events.record_id,
            {{ json_string("events.metadata", "$.importance") }} as importance,
            coalesce(
                {{ json_string("events.metadata", "$.erased") }} = 'true', false
            ) as is_erased,
            {{ json_string("events.metadata", "$.captured_by") }} as source_name,
            {{ json_string("events.metadata", "$.source_ref") }} as source_ref,
            coalesce(records.origin_modified_at, '1970-01-01'::timestamp) as modified_at
        from events
        left join records on events.record_id = records.record_id
    ),

    -- A frame's newest state decides: what was deprecated can be taken back.
    newest as (
        select
            native_id,
            bool_or(is_erased) as is_erased,
            max_by(importance, (modified_at, record_id)) as importance,
            min(source_name) as source_name,
            min(source_ref) as source_ref
        from sighted
        group by native_id
    ),

    changes as (
        select
            native_id,
            'importance' as operation,
            'deprecated' as reason,
            null::timestamp as occurred_at
        from newest
        where importance = 'deprecated'
        union all
        select
            newest.native_id,
            'erasure' as operation,
            coalesce(erasures.reason, 'erased') as reason,
            erasures.erased_at as occurred_at
        from newest
        left join
            erasures
            on newest.source_name = erasures.source_name
            and newest.source_ref = erasures.source_ref
        where newest.is_erased
    )

select
    {{ id_from(["'hive_mind'", "operation", "native_id"]) }} as change_id,
    'hive_mind' as source_system,
    native_id as target_native_id,
    null::varchar as replacement_native_id,
    'retire' as kind,
    reason,
    null::varchar as actor,
    occurred_at,
    {{ json_object_of({"operation": "operation"}) }} as metadata
from changes
