with
    rollouts as (select * from {{ source("codex", "rollouts") }}),

    parsed as (
        select
            record_id,
            container as session_id,
            position,
            landed_at,
            {{ json_fields(readable_json("payload"), codex_fields()) }} as entry
        from rollouts
    ),

    items as (
        select
            record_id,
            session_id,
            position,
            landed_at,
            entry.ordinal as ordinal,
            {{ utc_timestamp("entry.timestamp") }} as written_at,
            {{ codex_item() }}
        from parsed
    ),

    -- Lines name no folder and, but for a few, no turn: the last that was named holds.
    named_places as (
        select
            record_id,
            session_id,
            position,
            turn_id,
            case
                when line_type = 'turn_context'
                then nullif(cwd, '')
                when
                    role = 'user'
                    and contains(content::varchar, '<environment_context>')
                then {{ codex_named_folder(json_strings("content", "$[*].text")) }}
            end as cwd
        from items
    ),

    places as (
        select
            record_id,
            last_value(turn_id ignore nulls) over so_far as turn_id,
            last_value(cwd ignore nulls) over so_far as cwd
        from named_places
        window
            so_far as (
                partition by session_id
                order by position, record_id
                rows between unbounded preceding and current row
            )
    ),

    worded as (
        select
            *,
            {{ codex_speaker() }} as speaker,
            {{ codex_words() }} as line_words,
            case
                when line_type <> 'event_msg'
                then 'response_item'
                when item_type <> 'item_completed'
                then 'event_msg'
                else 'item_completed'
            end as writer
        from items
        where {{ codex_says() }}
    ),

    itemised as (
        select
            *,
            case
                when line_words <> '' or item_type = 'thread_rolled_back'
                then [null::json]
                else {{ content_items("content") }}
            end as blocks
        from worded
    ),

    exploded as (
        select *, {{ block_fields("block_json") }} as block
        from {{ each_item("itemised", "blocks", "block_json", "block_number") }}
    ),

    texts as (
        select *, coalesce(block.text, line_words) as words
        from exploded
        where
            coalesce(block.text, line_words) is not null
            or item_type = 'thread_rolled_back'
    ),

    -- What is ranked is narrow: words are told apart by their hash.
    sides as (
        select
            record_id,
            block_number,
            session_id,
            position,
            speaker,
            writer,
            written_at,
            case
                when speaker = 'user' and {{ machine_kind("words") }} is null
                then 'user'
                when speaker in ('assistant', 'reasoning', 'tool')
                then 'model'
            end as side,
            case
                when
                    speaker in ('user', 'assistant')
                    and not ends_with(item_type, '_call')
                then {{ sha256_hex(trim_white_space("words")) }}
            end as words_hash
        from texts
    ),

    openings as (
        select
            *,
            side = 'user'
            and coalesce(
                lag(side ignore nulls) over (
                    partition by session_id order by position, record_id, block_number
                ),
                'model'
            )
            = 'model' as opens_turn
        from sides
    ),

    turned as (
        select
            *,
            sum(case when opens_turn then 1 else 0 end) over (
                partition by session_id order by position, record_id, block_number
            ) as turn_number
        from openings
    ),

    repeated as (
        select
            *,
            row_number() over (
                partition by session_id, turn_number, speaker, words_hash, writer
                order by position, record_id, block_number
            ) as repetition
        from turned
        where words_hash is not null
    ),

    -- The n-th time that one kind of line holds a turn's words is the n-th time
    -- that the other kind holds them; what the model was given counts first.
    paired as (
        select
            record_id,
            block_number,
            side,
            words_hash,
            record_id <> first_value(record_id) over pair as is_copy,
            first_value(written_at) over pair as said_at
        from repeated
        window
            pair as (
                partition by session_id, turn_number, speaker, words_hash, repetition
                order by
                    case
                        writer
                        when 'response_item'
                        then 1
                        when 'event_msg'
                        then 2
                        else 3
                    end
            )
    )

select
    texts.record_id,
    texts.block_number,
    texts.session_id,
    texts.position,
    texts.landed_at,
    texts.line_type,
    texts.item_type,
    texts.phase,
    texts.ordinal,
    texts.speaker,
    texts.words,
    paired.words_hash,
    places.turn_id,
    places.cwd,
    coalesce(paired.said_at, texts.written_at) as said_at,
    coalesce(paired.is_copy, false) as is_copy,
    coalesce(paired.side = 'user', false) as is_persons,
    try_cast(texts.num_turns as bigint) as turn_count
from texts
inner join places on texts.record_id = places.record_id
left join
    paired
    on texts.record_id = paired.record_id
    and texts.block_number = paired.block_number
