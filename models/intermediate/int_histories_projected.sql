with
    changesets as (select * from {{ ref("stg_lethe__changesets") }}),

    ops as (select * from {{ ref("stg_lethe__changeset_ops") }}),

    refs as (select * from {{ ref("stg_lethe__refs") }}),

    conflicts as (select * from {{ ref("stg_lethe__conflicts") }}),

    baselines as (select * from {{ ref("stg_lethe__legacy_baselines") }}),

    log_entries as (select * from {{ ref("stg_lethe__log_entries") }}),

    events as (select * from log_entries where is_newest),

    -- An operation that was seen with two contents makes its changeset untrustworthy.
    altered as (
        select distinct changeset_id
        from ops
        group by changeset_id, ordinal
        having
            min(
                concat_ws(' ', op_type, target_event_id, resulting_event_id, payload)
            ) <> max(
                concat_ws(' ', op_type, target_event_id, resulting_event_id, payload)
            )
    ),

    told as (
        select
            changesets.*,
            changesets.is_altered or altered.changeset_id is not null as is_any_altered
        from changesets
        left join altered on changesets.changeset_id = altered.changeset_id
    ),

    placed_ops as (
        select ops.*, changesets.project_id
        from ops
        inner join changesets on ops.changeset_id = changesets.changeset_id
        where ops.is_newest
    ),

    project_rows as (
        {{ memory_git_rows("told", "changeset", memory_git_columns("changeset")) }}
        union all
        {{
            memory_git_rows(
                "placed_ops", "operation", memory_git_columns("operation")
            )
        }}
        union all
        {{ memory_git_rows("refs", "ref", memory_git_columns("ref")) }}
        union all
        {{ memory_git_rows("conflicts", "conflict", memory_git_columns("conflict")) }}
        union all
        {{ memory_git_rows("baselines", "baseline", memory_git_columns("baseline")) }}
        union all
        {{ memory_git_rows("events", "event", memory_git_columns("event")) }}
    ),

    gathered as (
        select project_id, {{ json_array_of("row_text") }} as rows_text
        from project_rows
        group by project_id
    )

select project_id as project_name, {{ memory_git_history("rows_text") }} as history
from gathered
where project_id in (select project_id from changesets)
