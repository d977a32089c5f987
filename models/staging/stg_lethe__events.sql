with
    log_entries as (select * from {{ ref("stg_lethe__log_entries") }}),

    sessions as (select * from {{ ref("stg_lethe__sessions") }}),

    ops as (select * from {{ ref("stg_lethe__changeset_ops") }}),

    changesets as (select * from {{ ref("stg_lethe__changesets") }}),

    answers as (select * from {{ ref("stg_lethe__context_memories") }}),

    logged as (
        select
            record_id,
            landed_at,
            'events' as source_entity,
            event_id as native_id,
            {{ lethe_part("content") }} as part,
            parent_event_id as parent_native_id,
            project_id,
            session_id,
            null::varchar as branch_agent_id,
            {{ lethe_event_kind("event_type") }} as event_kind,
            content,
            created_at as occurred_at,
            {{
                json_object_of(
                    {
                        "event_type": "event_type",
                        "confidence": "confidence",
                        "tags": "tags",
                        "task_title": "task_title",
                        "task_status": "task_status",
                        "status_changed_at": "status_changed_at",
                        "human_reviewed_at": "human_reviewed_at",
                        "reviewer_id": "reviewer_id",
                        "thread_id": "thread_id",
                    }
                )
            }} as told
        from log_entries
    ),

    summarised as (
        select
            record_id,
            landed_at,
            'sessions' as source_entity,
            session_id as native_id,
            'summary' as part,
            null::varchar as parent_native_id,
            project_id,
            session_id,
            null::varchar as branch_agent_id,
            'summary' as event_kind,
            summary as content,
            coalesce(ended_at, last_heartbeat_at, started_at) as occurred_at,
            {{ json_object_of({"session_state": "state"}) }} as told
        from sessions
        where trim(summary) <> ''
    ),

    -- What an actor keeps on a branch of its own is that agent's; what stands on a
    -- shared branch is everybody's.
    accepted as (
        select
            ops.record_id,
            ops.landed_at,
            'changeset_ops' as source_entity,
            resulting_memory_id as native_id,
            {{ lethe_part("content") }} as part,
            nullif(target_memory_id, resulting_memory_id) as parent_native_id,
            project_id,
            session_id,
            {{ lethe_branch_agent("ref_name") }} as branch_agent_id,
            'memory' as event_kind,
            content,
            created_at as occurred_at,
            {{
                json_object_of(
                    {
                        "op_type": "op_type",
                        "changeset_id": "ops.changeset_id",
                        "ordinal": "ordinal",
                        "ref_name": "ref_name",
                        "author_principal": "author_principal",
                        "actor_id": "actor_id",
                        "memory_kind": "memory_kind",
                        "event_type": "event_type",
                        "scope": "scope",
                        "visibility": "visibility",
                        "tags": "tags",
                        "confidence": "confidence",
                    }
                )
            }} as told
        from ops
        left join changesets on ops.changeset_id = changesets.changeset_id
        where trim(content) <> ''
    ),

    answered as (
        select
            record_id,
            landed_at,
            'context_memories' as source_entity,
            memory_id as native_id,
            {{ lethe_part("content") }} as part,
            null::varchar as parent_native_id,
            project_id,
            null::varchar as session_id,
            {{ lethe_branch_agent("ref_name") }} as branch_agent_id,
            case
                when memory_source <> 'legacy_event'
                then 'memory'
                else
                    {{
                        lethe_event_kind(
                            "coalesce(nullif(event_type, ''), memory_kind)"
                        )
                    }}
            end as event_kind,
            content,
            null::timestamp as occurred_at,
            {{
                json_object_of(
                    {
                        "ref_name": "ref_name",
                        "memory_kind": "memory_kind",
                        "event_type": "event_type",
                        "scope": "scope",
                        "visibility": "visibility",
                        "tags": "tags",
                        "confidence": "confidence",
                        "memory_status": "status",
                    }
                )
            }} as told
        from answers
    ),

    sightings as (
        select *
        from logged
        union all
        select *
        from summarised
        union all
        select *
        from accepted
        union all
        select *
        from answered
    ),

    -- Before events knew their project, only their session did.
    placed as (
        select
            sightings.*,
            coalesce(sightings.project_id, sessions.project_id) as project_name,
            sessions.session_key,
            coalesce(sightings.branch_agent_id, sessions.agent_id) as agent_id
        from sightings
        left join sessions on sightings.session_id = sessions.session_id
    ),

    -- An answer says neither when nor in which session: what the database says of the
    -- same text of the same memory is true of all of its sightings.
    first_told as (
        select
            project_name,
            native_id,
            part,
            min_by(
                placed,
                (
                    source_entity = 'context_memories',
                    coalesce(occurred_at, '9999-01-01'),
                    record_id
                )
            ) as sighting
        from placed
        group by project_name, native_id, part
    ),

    events as (
        select
            placed.record_id,
            placed.landed_at,
            placed.source_entity,
            placed.native_id,
            placed.part,
            placed.content,
            placed.project_name,
            sighting.parent_native_id as parent_native_id,
            sighting.session_key as session_key,
            sighting.session_id as session_id,
            sighting.agent_id as agent_id,
            sighting.event_kind as event_kind,
            sighting.occurred_at as occurred_at,
            sighting.told as told
        from placed
        inner join
            first_told
            on placed.project_name is not distinct from first_told.project_name
            and placed.native_id is not distinct from first_told.native_id
            and placed.part = first_told.part
    )

select
    {{
        event_id(
            "'lethe'", "native_id", "project_name", role="null::varchar", part="part"
        )
    }} as event_id,
    'lethe' as source_system,
    source_entity,
    coalesce(native_id, record_id) as native_id,
    part,
    parent_native_id,
    session_key,
    session_id,
    null::varchar as turn_id,
    agent_id,
    {{ user_id() }} as user_id,
    null::varchar as role,
    event_kind,
    {{ trigger_kind("session_key") }} as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    content,
    occurred_at,
    landed_at,
    record_id,
    {{ json_merged("told", json_object_of({"project_name": "project_name"})) }}
    as metadata
from events
