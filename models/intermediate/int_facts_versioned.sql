with
    moves as (select * from {{ ref("int_statements_moved") }}),

    followed as (
        select
            *,
            lag(is_opening) over (
                partition by namespace, project_key, body_hash order by move_number
            ) as was_opening
        from moves
    ),

    -- To open what stands, or to end what has ended, changes nothing.
    turned as (
        select
            *,
            lead(move_number) over statement is not null as is_ended,
            lead(placed_at) over statement as ended_at,
            lead(change_id) over statement as ending_change_id,
            lead(next_namespace) over statement as next_statement_namespace,
            lead(next_project_key) over statement as next_statement_project_key,
            lead(next_body_hash) over statement as next_statement_body_hash
        from followed
        where is_opening <> coalesce(was_opening, false)
        window
            statement as (
                partition by namespace, project_key, body_hash order by move_number
            )
    ),

    versions as (
        select
            *,
            {{ id_from(["namespace", "project_key", "body_hash", "opening"]) }}
            as fact_id,
            row_number() over (
                partition by namespace, project_key, body_hash order by move_number
            ) as version_number
        from turned
        where is_opening
    ),

    -- The version of the next statement that stood when this one ended.
    successors as (
        select
            versions.fact_id,
            max_by(successors.fact_id, successors.version_number) as superseded_by
        from versions
        inner join
            versions as successors
            on versions.next_statement_namespace = successors.namespace
            and versions.next_statement_project_key = successors.project_key
            and versions.next_statement_body_hash = successors.body_hash
        where
            versions.fact_id <> successors.fact_id
            and (
                successors.version_number = 1
                or successors.placed_at <= versions.ended_at
            )
        group by versions.fact_id
    )

select
    versions.fact_id,
    versions.namespace,
    versions.project_key,
    versions.body_hash,
    versions.version_number,
    versions.first_event_id,
    versions.change_id as opening_change_id,
    versions.placed_at as t_valid,
    case
        when versions.ended_at > versions.placed_at then versions.ended_at
    end as t_invalid,
    versions.is_ended,
    versions.ending_change_id,
    successors.superseded_by
from versions
left join successors on versions.fact_id = successors.fact_id
