with
    rows_landed as (select * from {{ source("mem0", "memories") }}),

    read_rows as (
        select
            record_id,
            landed_at,
            coalesce(origin_modified_at, '1970-01-01'::timestamp) as modified_at,
            {{ json_fields(readable_json("payload"), mem0_memory_fields()) }} as item
        from rows_landed
    ),

    -- Vector stores keep a memory's fields in a payload, one of them as text.
    parsed as (
        select
            *,
            {{
                json_fields(
                    "case when json_type(item.payload) = 'OBJECT' then item.payload else "
                    ~ readable_json(json_string("item.payload", "$"))
                    ~ " end",
                    mem0_memory_fields(),
                )
            }}
            as stored
        from read_rows
    ),

    memories as (
        select
            record_id,
            landed_at,
            modified_at,
            item.id as memory_id,
            coalesce(item.memory, item.data, stored.data, stored.memory) as content,
            coalesce(
                {{ mem0_agent("item.agent_id", "item.user_id") }},
                {{
                    mem0_agent(
                        "coalesce(stored.agent_id, stored.agentid)",
                        "coalesce(stored.user_id, stored.userid)",
                    )
                }}
            ) as agent_id,
            coalesce(
                item.run_id, item.session_id, stored.run_id, stored.runid
            ) as session_id,
            coalesce(item.user_id, stored.user_id, stored.userid) as owner_id,
            coalesce(item.app_id, stored.app_id) as app_id,
            coalesce(item.actor_id, stored.actor_id) as actor_id,
            coalesce(item.role, stored.role) as speaker,
            nullif(item.replaced_by, '') as replaced_by,
            coalesce(item.expiration_date, stored.expiration_date) as expires_on,
            item.categories as categories,
            coalesce(
                item.project, item.metadata.project, stored.project
            ) as project_name,
            coalesce(item.branch, item.metadata.branch, stored.branch) as git_branch,
            {{
                utc_timestamp(
                    "coalesce(item.created_at, stored.created_at, stored.createdat)"
                )
            }} as created_at,
            {{
                utc_timestamp(
                    "coalesce(item.updated_at, stored.updated_at, stored.updatedat)"
                )
            }} as updated_at
        from parsed
        where
            item.id is not null
            and stored.linked_memory_ids is null
            and coalesce(item.memory, item.data, stored.data, stored.memory) <> ''
    )

select
    record_id,
    landed_at,
    memory_id,
    content,
    case when agent_id not like 'subagent-%' then agent_id end as agent_id,
    coalesce(agent_id like 'subagent-%', false) as is_subagent,
    session_id,
    nullif(git_branch, '') as git_branch,
    replaced_by,
    created_at,
    updated_at,
    -- What is seen unchanged is as old as its first sighting; who was replaced was
    -- changed by that alone.
    min(
        case
            when replaced_by is null
            then coalesce(updated_at, created_at)
            else coalesce(created_at, updated_at)
        end
    ) over (partition by memory_id, content) as stated_at,
    row_number() over (
        partition by memory_id order by modified_at desc, record_id
    ) as newest_rank,
    {{
        json_object_of(
            {
                "owner_id": "owner_id",
                "agent_id": "agent_id",
                "app_id": "app_id",
                "actor_id": "actor_id",
                "speaker": "speaker",
                "categories": "categories",
                "expires_on": "expires_on",
                "project_name": "project_name",
            }
        )
    }} as details
from memories
