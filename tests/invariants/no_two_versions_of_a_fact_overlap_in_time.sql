-- Of what ended at an unknown time nobody knows that it lasted.
with
    facts as (select * from {{ ref("facts") }}),

    versions as (
        select
            fact_id,
            t_valid,
            lag(
                coalesce(
                    t_invalid,
                    case when is_current then 'infinity'::timestamp else t_valid end
                )
            ) over (
                partition by namespace, project_key, body_hash
                order by t_valid nulls first, fact_id
            ) as previous_t_invalid
        from facts
    )

select fact_id, t_valid, previous_t_invalid
from versions
where previous_t_invalid > coalesce(t_valid, '-infinity'::timestamp)
