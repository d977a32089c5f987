with
    verdicts as (select * from {{ ref("int_events_deduplicated") }}),

    classified as (select * from {{ ref("int_events_classified") }}),

    noise_rules as (select * from {{ ref("noise_rules") }}),

    described as (
        select
            classified.source_system,
            case
                when verdicts.verdict = 'first'
                then 'fact'
                when verdicts.verdict = 'refused'
                then 'refused'
                else 'repeat'
            end as verdict,
            coalesce(
                noise_rules.category,
                case when verdicts.verdict = 'first' then 'new statement' end,
                verdicts.cover_rule,
                'same statement again'
            ) as reason,
            classified.body_length
        from verdicts
        inner join classified on verdicts.event_id = classified.event_id
        left join noise_rules on verdicts.rule_id = noise_rules.rule_id
    ),

    curation_summary as (
        select
            {{ id_from(["source_system", "verdict", "reason"]) }} as summary_id,
            source_system,
            verdict,
            reason,
            count(*) as event_count,
            sum(body_length)::bigint as character_count,
            {{ rules_version() }} as rules_version,
            -- Recall is known when the marts are built, and written by the check.
            cast(null as double) as recall_score,
            cast(null as double) as recall_before_score
        from described
        group by source_system, verdict, reason
    )

select *
from curation_summary
