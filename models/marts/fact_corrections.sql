with
    versions as (select * from {{ ref("int_facts_versioned") }}),

    changes as (select * from {{ ref("stg_tamis__changes") }}),

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

    -- What no operation ended was stated again, outside the window of the policy in
    -- force.
    decided as (
        select
            ended.target_fact_id,
            ended.replacement_fact_id,
            ended.change_id,
            coalesce(changes.kind, 'supersede') as kind,
            case
                when changes.change_id is null
                then
                    'stated again outside the window of policy {{ dedup_policy("policy_id") }}'
                else changes.reason
            end as reason,
            case
                when changes.change_id is null
                then '{{ dedup_policy("policy_id") }}'
                else changes.actor
            end as actor,
            coalesce(changes.occurred_at, ended.t_invalid) as decided_at,
            coalesce(changes.source_system, 'dedup_policies') as source
        from ended
        left join changes on ended.change_id = changes.change_id
        union all
        select
            reopened.target_fact_id,
            reopened.replacement_fact_id,
            reopened.change_id,
            'reopen',
            changes.reason,
            changes.actor,
            changes.occurred_at,
            changes.source_system
        from reopened
        inner join changes on reopened.change_id = changes.change_id
    )

select
    {{ id_from(["kind", "target_fact_id", "replacement_fact_id", "change_id"]) }}
    as correction_id,
    target_fact_id,
    replacement_fact_id,
    kind,
    {{ redact_secrets("coalesce(reason, kind)") }} as reason,
    {{ redact_secrets("actor") }} as actor,
    decided_at,
    source
from decided
