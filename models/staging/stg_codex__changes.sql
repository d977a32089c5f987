with
    all_texts as (select * from {{ ref("stg_codex__texts") }}),

    replays as (select * from {{ ref("stg_codex__replays") }}),

    sessions as (select * from {{ ref("stg_codex__sessions") }}),

    rollbacks as (select * from all_texts where item_type = 'thread_rolled_back'),

    texts as (
        select *
        from all_texts
        where
            session_id in (select session_id from rollbacks)
            and words_hash is not null
            and not is_copy
    ),

    -- Depth rises with each turn that a person opens and falls with each rollback.
    steps as (
        select session_id, position, 1 as step
        from texts
        where is_persons
        group by session_id, position
        union all
        select session_id, position, - coalesce(turn_count, 1)
        from rollbacks
    ),

    depths as (
        select *, sum(step) over (partition by session_id order by position) as depth
        from steps
    ),

    turns as (
        select
            *,
            lead(position) over (
                partition by session_id order by position
            ) as next_position
        from depths
        where step = 1
    ),

    -- The first rollback that falls below a turn takes it back.
    retracted as (
        select
            turns.session_id,
            turns.position,
            turns.next_position,
            min(falls.position) as rollback_position
        from turns
        inner join depths as falls on turns.session_id = falls.session_id
        where falls.position > turns.position and falls.depth < turns.depth
        group by turns.session_id, turns.position, turns.next_position
    ),

    -- A fork that takes back what it copied does not take it from its parent.
    targets as (
        select
            texts.record_id as target_native_id,
            rollbacks.record_id as rollback_id,
            min(coalesce(rollbacks.said_at, sessions.started_at)) as occurred_at,
            min(rollbacks.turn_count) as turn_count
        from texts
        inner join retracted on texts.session_id = retracted.session_id
        inner join
            rollbacks
            on retracted.session_id = rollbacks.session_id
            and retracted.rollback_position = rollbacks.position
        left join replays on texts.record_id = replays.record_id
        left join sessions on texts.session_id = sessions.session_id
        where
            replays.record_id is null
            and texts.position >= retracted.position
            and texts.position < least(
                coalesce(retracted.next_position, retracted.rollback_position),
                retracted.rollback_position
            )
        group by texts.record_id, rollbacks.record_id
    )

select
    {{ id_from(["'codex'", "rollback_id", "target_native_id"]) }} as change_id,
    'codex' as source_system,
    target_native_id,
    null::varchar as replacement_native_id,
    'retire' as kind,
    'the thread was rolled back to before this turn' as reason,
    'user' as actor,
    occurred_at,
    {{
        json_object_of(
            {"operation_record_id": "rollback_id", "turn_count": "turn_count"}
        )
    }} as metadata
from targets
