-- No source read so far states a correction; the contract is here so that readers can
-- rely on it.
select
    null::varchar as correction_id,
    null::varchar as target_fact_id,
    null::varchar as replacement_fact_id,
    null::varchar as kind,
    null::varchar as reason,
    null::varchar as actor,
    null::timestamp as decided_at,
    null::varchar as source
where false
