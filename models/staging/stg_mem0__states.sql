with
    rows_landed as (select * from {{ source("mem0", "history") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields(readable_json("payload"), mem0_history_fields()) }} as change
        from rows_landed
    ),

    named as (
        select
            record_id,
            landed_at,
            change.memory_id as memory_id,
            concat_ws('/', change.memory_id, change.id) as native_id,
            nullif(coalesce(change.old_memory, change.previous_value), '') as old_text,
            nullif(coalesce(change.new_memory, change.new_value), '') as new_text,
            upper(coalesce(change.event, change.action)) as action,
            change.actor_id as actor_id,
            {{ utc_timestamp("coalesce(change.updated_at, change.created_at)") }}
            as state_at
        from parsed
        where change.memory_id is not null and change.id is not null
    ),

    -- The state that a change ended: the memory's last one before it of the old text.
    previous as (
        select
            ended.native_id,
            max_by(
                begun.native_id,
                (coalesce(begun.state_at, '1970-01-01'::timestamp), begun.native_id)
            ) as previous_native_id
        from named as ended
        inner join
            named as begun
            on ended.memory_id = begun.memory_id
            and ended.old_text = begun.new_text
        where
            ended.native_id <> begun.native_id
            and coalesce(begun.state_at <= ended.state_at, true)
        group by ended.native_id
    )

select
    named.record_id,
    named.landed_at,
    named.memory_id,
    named.native_id,
    named.old_text,
    named.new_text,
    named.action,
    named.actor_id,
    named.state_at,
    -- A state that no landed row begins is known by the row that ended it.
    case
        when named.old_text is not null
        then coalesce(previous.previous_native_id, named.native_id || '/old')
    end as previous_native_id
from named
left join previous on named.native_id = previous.native_id
