with
    notes as (select * from {{ ref("stg_basic_memory__notes") }}),

    memories as ({{ basic_memory_memories("notes") }}),

    -- A state that holds nothing is a state too.
    held as (
        select
            notes.note_key as container,
            notes.state as version,
            notes.updated_at as version_at,
            notes.record_id as version_record_id,
            coalesce(memories.memory_kind, '') as subject,
            coalesce(memories.item_number, 0) as number,
            coalesce(memories.native_id, notes.record_id) as native_id
        from notes
        left join memories on notes.record_id = memories.record_id
    ),

    changes as ({{ roster_changes("held") }}),

    known as (select distinct native_id from memories)

select
    {{ id_from(["'basic_memory'", "changes.native_id", "kind", "version_record_id"]) }}
    as change_id,
    'basic_memory' as source_system,
    changes.native_id as target_native_id,
    replacement_native_id,
    kind,
    case
        kind
        when 'supersede'
        then 'another line stands in its place'
        when 'reopen'
        then 'it is in the note again'
        else 'it is gone from the note'
    end as reason,
    null::varchar as actor,
    version_at as occurred_at,
    {{ json_object_of({"note": "container"}) }} as metadata
from changes
inner join known on changes.native_id = known.native_id
