-- No source read so far states a correction: the policy in force is who supersedes.
with
    verdicts as (
        select * from {{ ref("int_events_deduplicated") }} where verdict = 'first'
    ),

    events as (select * from {{ ref("int_events_unioned") }}),

    superseded as (
        select
            verdicts.fact_id,
            openers.fact_id as replacement_fact_id,
            events.occurred_at as decided_at
        from verdicts
        inner join verdicts as openers on verdicts.next_fact_id = openers.fact_id
        inner join events on openers.event_id = events.event_id
    )

select
    {{ id_from(["'supersede'", "fact_id", "replacement_fact_id"]) }} as correction_id,
    fact_id as target_fact_id,
    replacement_fact_id,
    'supersede' as kind,
    'stated again outside the window of policy {{ dedup_policy("policy_id") }}'
    as reason,
    '{{ dedup_policy("policy_id") }}' as actor,
    decided_at,
    'dedup_policies' as source
from superseded
