with
    rollouts as (select * from {{ source("codex", "rollouts") }}),

    heads as ({{ codex_heads("rollouts") }}),

    sessions as (select * from heads where head_number = 1),

    named_ancestors as (
        select session_id, head_id as ancestor_id
        from heads
        where head_number > 1
        union
        select session_id, forked_from_id
        from sessions
        union
        select session_id, parent_id
        from sessions
    ),

    ancestors as (
        select named_ancestors.*, older.started_at
        from named_ancestors
        inner join sessions as own on named_ancestors.session_id = own.session_id
        inner join sessions as older on named_ancestors.ancestor_id = older.session_id
        where
            named_ancestors.session_id <> named_ancestors.ancestor_id
            and coalesce(older.started_at <= own.started_at, true)
    ),

    relatives as (
        select
            record_id,
            container as session_id,
            position,
            {{ json_fields(readable_json("payload"), codex_fields()) }} as entry
        from rollouts
        where
            container in (select session_id from ancestors)
            or container in (select ancestor_id from ancestors)
    ),

    -- The number keeps the engine from parsing a line once for each of its fields.
    parsed as (
        select
            *,
            row_number() over (
                partition by session_id order by position, record_id
            ) as line_number
        from relatives
    ),

    items as (
        select record_id, session_id, line_number, {{ codex_item() }} from parsed
    ),

    -- A fork writes its parent's history at other times and as
    -- its own version would: what a line says is the same.
    keyed as (
        select
            record_id,
            session_id,
            line_number,
            role = 'user'
            or item_type = 'user_message'
            or turn_id is not null as is_mark,
            {{
                id_from(
                    [
                        "line_type",
                        "item_type",
                        "role",
                        "content",
                        "message",
                        "text",
                        "case when item_type = 'reasoning' then summary end",
                        "call_id",
                        "arguments",
                        "input",
                        "action",
                        "output",
                        "item",
                        "num_turns",
                        "turn_id",
                    ]
                )
            }} as line_key
        from items
        where
            {{ codex_says() }}
            or line_type = 'turn_context'
            or item_type in ('task_started', 'turn_started')
    ),

    numbered as (
        select
            *,
            row_number() over (
                partition by session_id, line_key order by line_number
            ) as occurrence
        from keyed
    ),

    matched as (
        select
            own.record_id,
            min_by(
                original.record_id, (ancestors.started_at, original.session_id)
            ) as original_id
        from numbered as own
        inner join ancestors on own.session_id = ancestors.session_id
        inner join
            numbered as original
            on ancestors.ancestor_id = original.session_id
            and own.line_key = original.line_key
            and own.occurrence = original.occurrence
        group by own.record_id
    ),

    -- The copied history ends where the file's own first turn begins.
    bounded as (
        select
            numbered.record_id,
            matched.original_id,
            sum(
                case
                    when numbered.is_mark and matched.record_id is null then 1 else 0
                end
            ) over (partition by numbered.session_id order by numbered.line_number)
            as own_marks
        from numbered
        left join matched on numbered.record_id = matched.record_id
    ),

    replays as (
        select record_id, original_id
        from bounded
        where original_id is not null and own_marks = 0
    )

-- A fork of a fork may name its parent only, whose own line is a copy.
select
    replays.record_id, coalesce(earlier.original_id, replays.original_id) as original_id
from replays
left join replays as earlier on replays.original_id = earlier.record_id
