with
    changes as (
        select *
        from {{ ref("int_changes_unioned") }}
        where target_native_id is not null
    ),

    statements as (select * from {{ ref("int_statements_resolved") }}),

    histories as (select * from {{ ref("int_histories_projected") }}),

    changesets as ({{ memory_git_items("histories", "changesets", "changeset") }}),

    -- What stands on a branch is nobody else's memory until it is merged.
    accepted as (
        select project_name, changeset.changeset_id as changeset_id
        from changesets
        where changeset.history_position is not null
    ),

    named as (
        select source_system, target_native_id as native_id
        from changes
        union
        select source_system, replacement_native_id
        from changes
    ),

    memories as (
        select
            events.event_id,
            events.source_system,
            events.native_id,
            events.part,
            events.session_id,
            events.occurred_at,
            {{ json_string("events.metadata", "$.project_name") }} as project_name,
            concat_ws(
                '/', events.source_entity, events.part, events.role
            ) as sighted_as,
            statements.namespace,
            statements.own_project_key,
            statements.event_order,
            statements.rule_id is not null as is_refused
        from named
        inner join
            {{ ref("int_events_unioned") }} as events
            on named.source_system = events.source_system
            and named.native_id = events.native_id
        inner join statements on events.event_id = statements.event_id
    ),

    -- A short id counts in the session or the project that the operation names.
    candidates as (
        select
            changes.change_id,
            changes.target_native_id = changes.replacement_native_id as is_in_place,
            changes.occurred_at as decided_at,
            memories.*
        from changes
        inner join
            memories
            on changes.source_system = memories.source_system
            and changes.target_native_id = memories.native_id
        where {{ is_named_place("changes", "memories") }}
    ),

    replacements as (
        select
            changes.change_id,
            memories.event_id,
            memories.event_order,
            memories.namespace,
            memories.own_project_key,
            memories.project_name
        from changes
        inner join
            memories
            on changes.source_system = memories.source_system
            and changes.replacement_native_id = memories.native_id
        where
            not memories.is_refused
            and coalesce(changes.replacement_part, memories.part) = memories.part
            and {{ is_named_place("changes", "memories") }}
    ),

    replaced as (select distinct change_id from replacements),

    -- What replaces a memory is of the same owner and project. One that is
    -- corrected in place keeps its id: what it said before is meant.
    pairs as (
        select
            candidates.change_id,
            candidates.event_id,
            min_by(
                replacements.event_id, replacements.event_order
            ) as replacement_event_id
        from candidates
        inner join
            replacements
            on candidates.change_id = replacements.change_id
            and candidates.namespace = replacements.namespace
        where
            coalesce(
                candidates.own_project_key = replacements.own_project_key,
                candidates.project_name = replacements.project_name,
                true
            )
            and (
                not coalesce(candidates.is_in_place, false)
                or candidates.event_order < replacements.event_order
            )
        group by candidates.change_id, candidates.event_id
    ),

    agreed as (
        select
            candidates.*,
            pairs.replacement_event_id,
            max(coalesce(candidates.occurred_at <= candidates.decided_at, false)) over (
                partition by candidates.change_id
            ) as has_earlier_state
        from candidates
        left join
            pairs
            on candidates.change_id = pairs.change_id
            and candidates.event_id = pairs.event_id
        left join replaced on candidates.change_id = replaced.change_id
        where
            not candidates.is_refused
            and (pairs.event_id is not null or replaced.change_id is null)
    ),

    -- What a memory came to say after the decision was not decided upon.
    reached as (
        select *
        from agreed
        where not has_earlier_state or not coalesce(occurred_at > decided_at, false)
    ),

    counted as (
        select
            change_id,
            count(*) as candidate_count,
            count(*) filter (where not is_refused) as kept_count,
            bool_and(coalesce(is_in_place, false)) as is_in_place
        from candidates
        group by change_id
    ),

    spread as (
        select
            change_id,
            count(*) as target_count,
            count(distinct sighted_as) as sighting_count,
            count(distinct namespace) as namespace_count,
            case
                when count(own_project_key) = count(*)
                then count(distinct own_project_key)
                else
                    greatest(
                        count(distinct own_project_key), count(distinct project_name)
                    )
            end as project_count
        from reached
        group by change_id
    ),

    judged as (
        select
            changes.change_id,
            case
                when changes.changeset_id is not null and accepted.changeset_id is null
                then 'the shared main ref has not accepted it'
                when counted.change_id is null
                then 'no memory of that id has landed'
                when spread.change_id is null and counted.is_in_place
                then 'what it said before has not landed'
                when spread.change_id is null
                then 'what replaces it is of another owner or project'
                when spread.namespace_count > 1
                then 'memories of several owners have that id'
                when spread.project_count > 1
                then 'memories of several projects have that id'
                when spread.target_count > spread.sighting_count
                then 'several memories have that id'
            end as unresolved_reason
        from changes
        left join counted on changes.change_id = counted.change_id
        left join spread on changes.change_id = spread.change_id
        left join
            accepted
            on changes.project_name = accepted.project_name
            and changes.changeset_id = accepted.changeset_id
        where counted.change_id is null or counted.kept_count > 0
    ),

    targeted as (
        select
            judged.change_id,
            reached.event_id,
            reached.replacement_event_id,
            judged.unresolved_reason
        from judged
        inner join reached on judged.change_id = reached.change_id
        where judged.unresolved_reason is null
        union all
        select change_id, null, null, unresolved_reason
        from judged
        where unresolved_reason is not null
    )

select {{ id_from(["change_id", "event_id"]) }} as targeted_change_id, targeted.*
from targeted
