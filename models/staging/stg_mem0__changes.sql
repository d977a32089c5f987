with
    states as (select * from {{ ref("stg_mem0__states") }}),

    memories as (select * from {{ ref("stg_mem0__memories") }}),

    owned as (
        select states.*, coalesce(memories.agent_id, '') as agent_name
        from states
        left join
            memories
            on states.memory_id = memories.memory_id
            and memories.newest_rank = 1
    ),

    deleted as (select distinct memory_id from states where action = 'DELETE'),

    -- What each memory that was not deleted says last.
    lasting as (
        select
            owned.memory_id,
            owned.native_id,
            owned.new_text,
            owned.agent_name,
            row_number() over (
                partition by owned.memory_id
                order by owned.state_at desc nulls last, owned.native_id desc
            ) as last_rank
        from owned
        left join deleted on owned.memory_id = deleted.memory_id
        where deleted.memory_id is null and owned.new_text is not null
    ),

    holders as (
        select agent_name, new_text, min(native_id) as native_id
        from lasting
        where last_rank = 1
        group by agent_name, new_text
    ),

    -- A memory that was deleted while another one says the same was a copy of it.
    ended as (
        select
            owned.native_id,
            min(owned.previous_native_id) as target_native_id,
            min(
                case
                    when owned.action = 'DELETE'
                    then holders.native_id
                    else owned.native_id
                end
            ) as replacement_native_id,
            min(owned.action) as action,
            min(owned.actor_id) as actor,
            min(owned.state_at) as occurred_at,
            min(holders.native_id) as still_held_by
        from owned
        left join
            holders
            on owned.old_text = holders.new_text
            and owned.agent_name = holders.agent_name
        where
            owned.previous_native_id is not null
            and (owned.action = 'DELETE' or owned.new_text <> owned.old_text)
        group by owned.native_id
    ),

    replaced as (
        select
            memory_id as native_id,
            memory_id as target_native_id,
            replaced_by as replacement_native_id,
            'REPLACED' as action,
            null::varchar as actor,
            min(updated_at) as occurred_at,
            null::varchar as still_held_by
        from memories
        where replaced_by is not null
        group by memory_id, replaced_by
    ),

    changes as (
        select *
        from ended
        union all
        select *
        from replaced
    )

select
    {{
        id_from(
            [
                "'mem0'",
                "native_id",
                "case when action = 'REPLACED' then replacement_native_id end",
            ]
        )
    }} as change_id,
    'mem0' as source_system,
    target_native_id,
    replacement_native_id,
    case
        when action <> 'DELETE'
        then 'supersede'
        when replacement_native_id is not null
        then 'duplicate'
        else 'retire'
    end as kind,
    case
        when action = 'REPLACED'
        then 'replaced by another memory'
        when action <> 'DELETE'
        then 'updated'
        when replacement_native_id is not null
        then 'deleted while another memory says the same'
        else 'deleted'
    end as reason,
    actor,
    occurred_at,
    {{ json_object_of({"action": "action", "still_held_by": "still_held_by"}) }}
    as metadata
from changes
