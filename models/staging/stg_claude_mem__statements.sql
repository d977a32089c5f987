with
    observations as (select * from {{ source("claude_mem", "observations") }}),

    memory_items as (select * from {{ source("claude_mem", "memory_items") }}),

    rows_landed as (
        select record_id, landed_at, 'observations' as source_entity, payload
        from observations
        union all
        select record_id, landed_at, 'memory_items' as source_entity, payload
        from memory_items
    ),

    parsed as (
        select
            record_id,
            landed_at,
            source_entity,
            {{ json_fields(readable_json("payload"), claude_mem_observation_fields()) }}
            as observation
        from rows_landed
    ),

    named as (
        select
            record_id,
            landed_at,
            source_entity,
            observation,
            coalesce(
                observation.memory_session_id, observation.sdk_session_id
            ) as memory_session_id,
            nullif(observation.title, '') as title,
            nullif(observation.subtitle, '') as subtitle,
            nullif(observation.narrative, '') as narrative,
            nullif(observation.text, '') as row_text,
            {{ claude_mem_items("observation.facts") }} as facts
        from parsed
        where observation is not null
    ),

    -- The stored hash has five populations, two of them random and one missing: what
    -- it should be is computed, and without title and narrative there is none.
    hashed as (
        select
            *,
            case
                when title is not null or narrative is not null
                then {{ claude_mem_hash(["memory_session_id", "title", "narrative"]) }}
            end as content_hash
        from named
    ),

    -- Every database counts from one and an import counts anew: only the content
    -- tells rows of one session and number apart.
    identified as (
        select
            *,
            case
                when source_entity = 'memory_items'
                then observation.id
                else
                    concat_ws(
                        '/',
                        memory_session_id,
                        observation.id,
                        coalesce(
                            content_hash,
                            {{ claude_mem_hash(["row_text", "facts::varchar"]) }}
                        )
                    )
            end as native_id
        from hashed
    ),

    -- What it says first, what it says beside that, then its facts, each a statement.
    listed as (
        select
            *,
            [
                to_json(
                    case
                        when observation.kind = 'prompt'
                        then coalesce(row_text, narrative, title)
                        else
                            coalesce(
                                nullif(concat_ws(chr(10), title, narrative), ''),
                                row_text
                            )
                    end
                ),
                to_json(subtitle),
                to_json(case when content_hash is not null then row_text end)
            ]
            || facts as texts
        from identified
    ),

    statements as (
        select
            *,
            case
                text_number
                when 1
                then '0'
                when 2
                then '0.1'
                when 3
                then '0.2'
                else (text_number - 3)::varchar
            end as part,
            {{ json_string("text_json", "$") }} as content
        from {{ each_item("listed", "texts", "text_json", "text_number") }}
    )

select
    record_id,
    landed_at,
    source_entity,
    native_id,
    part,
    memory_session_id,
    case when observation.kind = 'prompt' then 'user' end as role,
    case
        when observation.kind = 'prompt'
        then {{ said_kind("'user'", "content", "false") }}
        when observation.kind = 'summary'
        then 'summary'
        when observation.kind = 'manual'
        then 'memory'
        else 'observation'
    end as event_kind,
    content,
    {{
        utc_timestamp(
            "coalesce(observation.created_at_epoch, observation.created_at)"
        )
    }} as occurred_at,
    observation.project as project_name,
    nullif(observation.merged_into_project, '') as merged_into_project,
    {{
        json_object_of(
            {
                "content_hash": "content_hash",
                "title": "title",
                "observation_type": "observation.type",
                "concepts": "observation.concepts",
                "files_read": "observation.files_read",
                "files_modified": "observation.files_modified",
                "prompt_number": "observation.prompt_number",
                "project_id": "observation.project_id",
                "subagent_id": "observation.agent_id",
                "subagent_type": "observation.agent_type",
                "generated_by_model": "observation.generated_by_model",
            }
        )
    }} as details
from statements
where trim(content) <> ''
