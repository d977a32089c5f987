with
    said as (select * from {{ ref("int_statements_resolved") }} where rule_id is null),

    events as (select * from {{ ref("int_events_unioned") }}),

    changes as (select * from {{ ref("int_changes_resolved") }} where not is_held),

    firsts as (
        select
            namespace,
            project_key,
            body_hash,
            min_by(event_id, ({{ sighting_order() }})) as first_event_id
        from said
        group by namespace, project_key, body_hash
    ),

    begun as (
        select firsts.*, events.occurred_at as moved_at
        from firsts
        inner join events on firsts.first_event_id = events.event_id
    ),

    stored_again as ({{ reopened_statements("said") }}),

    reopened as (select * from changes where kind = 'reopen' and moved_at is not null),

    replaced as (
        select
            *,
            kind in ('correct', 'supersede')
            and replacement_body_hash is not null as has_successor
        from changes
        where
            kind <> 'reopen'
            and (kind <> 'correct' or replacement_body_hash is not null)
            and not is_of_itself
    ),

    -- What is older than what it replaces ends where that one begins.
    born_ended as (select * from replaced where has_successor and moved_at < begun_at),

    -- An operation ends what it names, also where nobody knows that it came later.
    ended as (
        select *
        from replaced
        where not coalesce(has_successor and moved_at < begun_at, false)
    ),

    moves as (
        {{ statement_move("begun", "true", opening="''") }}
        union all
        {{ statement_move("stored_again", "false", next="") }}
        union all
        {{ statement_move("stored_again", "true", opening="opening") }}
        union all
        {{
            statement_move(
                "reopened", "true", opening="change_id", change_id="change_id"
            )
        }}
        union all
        {{
            statement_move(
                "ended",
                "false",
                change_id="change_id",
                next="replacement_",
            )
        }}
        union all
        {{
            statement_move(
                "born_ended",
                "false",
                statement="replacement_",
                moved_at="begun_at",
                change_id="change_id",
                next="",
            )
        }}
        union all
        {{
            statement_move(
                "(select * from ended where has_successor and moved_at is not null) as ended",
                "true",
                statement="replacement_",
                opening="change_id",
                change_id="change_id",
            )
        }}
    ),

    placed as (
        select
            moves.*,
            begun.first_event_id,
            greatest(moves.moved_at, begun.moved_at) as placed_at,
            coalesce(moves.moved_at = begun.moved_at, false) as is_first
        from moves
        inner join
            begun
            on moves.namespace = begun.namespace
            and moves.project_key = begun.project_key
            and moves.body_hash = begun.body_hash
    ),

    -- What moved before it was first said, or nobody knows when, did so right after it.
    -- At one instant what stood ends before what comes begins; at the first it stands.
    numbered as (
        select
            * exclude (is_first),
            row_number() over (
                partition by namespace, project_key, body_hash
                order by
                    placed_at nulls first,
                    coalesce(opening <> '', true),
                    moved_at nulls first,
                    is_opening <> is_first,
                    opening,
                    change_id,
                    next_body_hash
            ) as move_number
        from placed
    )

select
    {{ id_from(["namespace", "project_key", "body_hash", "move_number::varchar"]) }}
    as statement_move_id,
    numbered.*
from numbered
