with
    versions as (select * from {{ ref("int_facts_versioned") }}),

    changes as (select * from {{ ref("int_changes_unioned") }}),

    targeted as (select * from {{ ref("int_changes_targeted") }}),

    resolved as (select * from {{ ref("int_changes_resolved") }}),

    recorded as (select * from {{ ref("int_changes_recorded") }}),

    ended as (
        select
            fact_id as target_fact_id,
            superseded_by as replacement_fact_id,
            ending_change_id as change_id,
            t_invalid
        from versions
        where is_ended
    ),

    reopened as (
        select
            earlier.fact_id as target_fact_id,
            versions.fact_id as replacement_fact_id,
            versions.opening_change_id as change_id
        from versions
        inner join
            versions as earlier
            on versions.namespace = earlier.namespace
            and versions.project_key = earlier.project_key
            and versions.body_hash = earlier.body_hash
            and versions.version_number = earlier.version_number + 1
        where versions.opening_change_id is not null
    ),

    -- What is said stays, and where it belongs was corrected.
    moved as (
        select versions.fact_id as target_fact_id, resolved.change_id
        from resolved
        inner join
            versions
            on resolved.namespace = versions.namespace
            and resolved.project_key = versions.project_key
            and resolved.body_hash = versions.body_hash
        where
            resolved.kind = 'correct'
            and resolved.replacement_body_hash is null
            and versions.version_number = 1
    ),

    unapplied as (
        select change_id, unresolved_reason
        from targeted
        where unresolved_reason is not null
        union all
        select change_id, 'its store still says it elsewhere'
        from resolved
        where is_held and not is_of_itself
    ),

    -- What no operation ended was stated again, outside the window of the policy in
    -- force.
    decided as (
        select
            ended.target_fact_id,
            ended.replacement_fact_id,
            ended.change_id,
            case when changes.change_id is null then 'supersede' end as kind,
            case
                when changes.change_id is null
                then
                    'stated again outside the window of policy {{ dedup_policy("policy_id") }}'
            end as reason,
            case
                when changes.change_id is null then '{{ dedup_policy("policy_id") }}'
            end as actor,
            ended.t_invalid as decided_at,
            null::varchar as unresolved_reason
        from ended
        left join changes on ended.change_id = changes.change_id
        union all
        select
            target_fact_id,
            replacement_fact_id,
            change_id,
            'reopen',
            null,
            null,
            null,
            null
        from reopened
        union all
        select target_fact_id, null, change_id, null, null, null, null, null
        from moved
        union all
        select distinct null, null, change_id, null, null, null, null, unresolved_reason
        from unapplied
    ),

    told as (
        select
            decided.target_fact_id,
            decided.replacement_fact_id,
            decided.change_id,
            changes.target_native_id,
            coalesce(decided.kind, changes.kind) as kind,
            coalesce(changes.reason, decided.reason, changes.kind) as reason,
            coalesce(changes.actor, decided.actor) as actor,
            coalesce(changes.occurred_at, decided.decided_at) as decided_at,
            recorded.recorded_at,
            coalesce(changes.source_system, 'dedup_policies') as source,
            decided.unresolved_reason
        from decided
        left join changes on decided.change_id = changes.change_id
        left join recorded on decided.change_id = recorded.change_id
    )

select
    {{ id_from(["kind", "target_fact_id", "replacement_fact_id", "change_id"]) }}
    as correction_id,
    change_id,
    target_fact_id,
    {{ redact_secrets("target_native_id") }} as target_native_id,
    replacement_fact_id,
    kind,
    {{ redact_secrets("reason") }} as reason,
    {{ redact_secrets("actor") }} as actor,
    decided_at,
    recorded_at,
    source,
    unresolved_reason
from told
