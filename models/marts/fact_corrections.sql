-- No source read so far states a correction: the policy in force is who supersedes.
with facts as (select * from {{ ref("facts") }} where superseded_by is not null)

select
    {{ id_from(["'supersede'", "facts.fact_id", "facts.superseded_by"]) }}
    as correction_id,
    facts.fact_id as target_fact_id,
    facts.superseded_by as replacement_fact_id,
    'supersede' as kind,
    'stated again outside the window of policy {{ dedup_policy("policy_id") }}'
    as reason,
    '{{ dedup_policy("policy_id") }}' as actor,
    facts.t_invalid as decided_at,
    'dedup_policies' as source
from facts
