-- A session that memory was told to forget: each of its entries is
-- retired, by its short id and the session that it counts in. A memory
-- file that was edited: what it said is replaced or retired.
with
    tombstones as (select * from {{ source("openclaw", "session_tombstones") }}),

    events as (select * from {{ ref("stg_openclaw__events") }}),

    forgotten as (
        select
            {{ json_string("payload", "$.session_id") }} as session_id,
            min({{ json_string("payload", "$.agent_id") }}) as agent_id,
            min({{ json_string("payload", "$.reason") }}) as reason,
            min(
                {{ utc_timestamp(json_string("payload", "$.created_at")) }}
            ) as occurred_at
        from tombstones
        where json_valid(payload)
        group by 1
    ),

    entries as (
        select distinct session_id, native_id
        from events
        where source_entity <> 'hook_events'
    ),

    retired as (
        select
            {{
                id_from(
                    [
                        "'openclaw'",
                        "'session_tombstones'",
                        "forgotten.session_id",
                        "entries.native_id",
                    ]
                )
            }} as change_id,
            'openclaw' as source_system,
            entries.native_id as target_native_id,
            null::varchar as replacement_native_id,
            'retire' as kind,
            forgotten.reason,
            forgotten.agent_id as actor,
            forgotten.occurred_at,
            {{ json_object_of({"session_id": "forgotten.session_id"}) }} as metadata
        from forgotten
        inner join entries on forgotten.session_id = entries.session_id
    ),

    statements as (select * from {{ ref("stg_openclaw__memory_statements") }}),

    edited as ({{ memory_changes("openclaw", "statements") }})

select *
from retired
union all
select *
from edited
