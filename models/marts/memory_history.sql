with
    projected as (select * from {{ ref("int_histories_projected") }}),

    told as ({{ memory_git_items("projected", "states", "state") }}),

    redacted as (
        select
            project_name,
            state,
            {{ redact_secrets("state.content") }} as content_once,
            {{ redact_secrets("state.memory_id") }} as memory_id,
            {{ redact_secrets("state.scope") }} as scope
        from told
    )

select
    {{ id_from(["project_name", "state.memory_id", "state.order"]) }} as state_id,
    project_name,
    memory_id,
    state.order as memory_order,
    lead(state.order) over (
        partition by project_name, state.memory_id order by state.order
    ) as next_order,
    state.position as history_position,
    state.changeset_id as changeset_id,
    state.ordinal as ordinal,
    state.op_type as op_type,
    state.began_at as began_at,
    -- A secret that was glued to another one shows only when that one is gone.
    {{ redact_secrets("content_once") }} as content,
    nullif(state.kind, '') as memory_kind,
    nullif(scope, '') as scope,
    nullif(state.visibility, '') as visibility,
    state.tags as tags,
    state.confidence as confidence,
    state.status as status,
    state.is_shown as is_shown,
    nullif({{ redact_secrets("state.reason") }}, '') as reason,
    state.evidence_count as evidence_count,
    state.verification_count as verification_count,
    state.conflict_id as conflict_id
from redacted
