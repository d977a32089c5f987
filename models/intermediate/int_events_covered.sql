with
    events as (select * from {{ ref("int_events_classified") }}),

    texts as (select * from {{ ref("int_events_redacted") }}),

    -- Elsewhere a turn is all that is said until
    -- the user speaks; here it is one answer.
    turns as (
        select
            *,
            case
                when source_system = 'claude_code' and role = 'assistant' then turn_id
            end as answer_id
        from events
        where is_turn
    ),

    -- A resume writes an answer again under fresh native ids; the last copy is whole,
    -- those before it may have been cut off.
    repeated_answers as (
        select session_id, answer_id
        from turns
        where answer_id is not null
        group by session_id, answer_id
        having count(*) > 1
    ),

    answers as (
        select
            turns.event_id,
            turns.session_id,
            turns.answer_id,
            turns.event_order,
            texts.body
        from turns
        inner join
            repeated_answers
            on turns.session_id = repeated_answers.session_id
            and turns.answer_id = repeated_answers.answer_id
        inner join texts on turns.event_id = texts.event_id
    ),

    earlier_answers as (
        select
            copied.event_id,
            max_by(answers.event_id, answers.event_order) as covered_by_event_id
        from answers as copied
        inner join
            answers
            on copied.session_id = answers.session_id
            and copied.answer_id = answers.answer_id
            and copied.event_order < answers.event_order
            and starts_with(answers.body, copied.body)
        group by copied.event_id
    ),

    -- Siblings: one parent, one role, one body,
    -- written again by a retry or without metadata.
    siblings as (
        select
            event_id,
            answer_id = first_value(answer_id) over family as is_same_answer,
            first_value(event_id) over family as covered_by_event_id
        from turns
        where parent_native_id is not null
        window
            family as (
                partition by
                    source_system, session_id, parent_native_id, role, body_hash
                order by copy_kind nulls first, event_order
            )
    ),

    -- Rewritten: a resume gives a line a fresh id and parent, but neither another text
    -- nor another instant. Elsewhere equal instants mean only that nobody noted them.
    rewritten as (
        select
            event_id,
            first_value(event_id) over (
                partition by source_system, session_id, role, body_hash, occurred_at
                order by copy_kind nulls first, event_order
            ) as covered_by_event_id
        from turns
        where
            source_system = 'claude_code'
            and occurred_at is not null
            and answer_id is null
    ),

    -- Copies: what a source declares to repeat a turn of the session, beside that turn.
    copies as (
        select
            copied.event_id,
            min_by(original.event_id, original.event_order) as covered_by_event_id,
            min(copied.copy_kind) as cover_rule
        from turns as copied
        inner join
            turns as original
            on copied.source_system = original.source_system
            and copied.session_id = original.session_id
            and copied.role = original.role
            and copied.body_hash = original.body_hash
            and (
                abs(date_diff('second', original.occurred_at, copied.occurred_at))
                <= {{ capture_window_seconds() }}
                or copied.occurred_at is null
            )
        where copied.copy_kind is not null and original.copy_kind is null
        group by copied.event_id
    ),

    runs as (
        select
            *,
            sum(case when role = 'user' then 1 else 0 end) over (
                partition by source_system, session_id order by event_order
            ) as run_number
        from turns
        where copy_kind is null
    ),

    measured as (
        select
            *,
            row_number() over run as run_position,
            sum(body_length + 2) over run - body_length - 2 as run_length_before
        from runs
        where role = 'assistant'
        window
            run as (
                partition by source_system, session_id, run_number order by event_order
            )
    ),

    -- An answer streamed in parts and written once more as a whole: the
    -- lengths find where the parts would have to begin, the texts decide.
    candidates as (
        select
            whole.event_id as whole_event_id,
            part.event_id as part_event_id,
            part.run_position,
            begin.run_position as first_position
        from measured as whole
        inner join
            measured as begin
            on whole.source_system = begin.source_system
            and whole.session_id = begin.session_id
            and whole.run_number = begin.run_number
            and whole.run_length_before - whole.body_length - 2
            = begin.run_length_before
            and begin.run_position < whole.run_position - 1
        inner join
            measured as part
            on whole.source_system = part.source_system
            and whole.session_id = part.session_id
            and whole.run_number = part.run_number
            and part.run_position between begin.run_position and whole.run_position - 1
    ),

    assembled as (
        select
            candidates.whole_event_id,
            list(candidates.part_event_id) as part_event_ids,
            string_agg(
                texts.body, chr(10) || chr(10) order by candidates.run_position
            ) as body
        from candidates
        inner join texts on candidates.part_event_id = texts.event_id
        group by candidates.whole_event_id, candidates.first_position
    ),

    parts as (
        select unnest(assembled.part_event_ids) as event_id, assembled.whole_event_id
        from assembled
        inner join texts on assembled.whole_event_id = texts.event_id
        where assembled.body = texts.body
    ),

    covers_of_sessions as (
        select event_id, covered_by_event_id, 'same answer' as cover_rule, 0 as priority
        from earlier_answers
        union all
        select event_id, covered_by_event_id, 'sibling' as cover_rule, 1 as priority
        from siblings
        where event_id <> covered_by_event_id and is_same_answer is not true
        union all
        select event_id, covered_by_event_id, cover_rule, 2 as priority
        from copies
        union all
        select
            event_id,
            whole_event_id,
            'part of a joined answer' as cover_rule,
            3 as priority
        from parts
        union all
        select event_id, covered_by_event_id, 'rewritten' as cover_rule, 4 as priority
        from rewritten
        where event_id <> covered_by_event_id
    ),

    covers as (
        select
            event_id,
            min_by(
                covered_by_event_id, (priority, covered_by_event_id)
            ) as covered_by_event_id,
            min_by(cover_rule, (priority, covered_by_event_id)) as cover_rule
        from covers_of_sessions
        group by event_id
    ),

    -- Extracts: hive-mind's stop hook stores the beginning of an answer on one line,
    -- which the session's transcript, or the frame of another hook, holds as it was.
    extracts as (
        select
            turns.*,
            {{ opening_letters("texts.body") }} as opening_letters,
            unnest(
                [
                    {{ time_slot("turns.occurred_at", capture_window_seconds()) }} - 1,
                    {{ time_slot("turns.occurred_at", capture_window_seconds()) }},
                    {{ time_slot("turns.occurred_at", capture_window_seconds()) }} + 1
                ]
            ) as slot
        from turns
        inner join texts on turns.event_id = texts.event_id
        where
            turns.source_system = 'hive_mind'
            and turns.role = 'assistant'
            and turns.body_length <= 400
    ),

    extract_slots as (select distinct namespace, slot from extracts),

    answers_told as (
        select
            turns.event_id,
            turns.event_order,
            turns.namespace,
            turns.body_hash,
            turns.body_length,
            turns.occurred_at,
            extract_slots.slot
        from turns
        inner join
            extract_slots
            on turns.namespace = extract_slots.namespace
            and {{ time_slot("turns.occurred_at", capture_window_seconds()) }}
            = extract_slots.slot
        left join covers on turns.event_id = covers.event_id
        where
            turns.role = 'assistant'
            and turns.copy_kind is null
            and covers.event_id is null
    ),

    answers_opened as (
        select answers_told.*, {{ opening_letters("texts.body") }} as opening_letters
        from answers_told
        inner join texts on answers_told.event_id = texts.event_id
        where texts.body not like '%…'
    ),

    -- The whole is never shorter than its extract without the mark of the cut.
    answers_nearby as (
        select
            extracts.event_id,
            answers_opened.event_id as whole_event_id,
            answers_opened.event_order,
            abs(
                epoch_ms(answers_opened.occurred_at) - epoch_ms(extracts.occurred_at)
            ) as milliseconds_apart
        from extracts
        inner join
            answers_opened
            on extracts.namespace = answers_opened.namespace
            and extracts.slot = answers_opened.slot
            and extracts.opening_letters = answers_opened.opening_letters
        where
            extracts.body_hash <> answers_opened.body_hash
            and extracts.body_length - 1 <= answers_opened.body_length
    ),

    extracts_of_answers as (
        select
            answers_nearby.event_id,
            min_by(
                answers_nearby.whole_event_id,
                (answers_nearby.milliseconds_apart, answers_nearby.event_order)
            ) as covered_by_event_id
        from answers_nearby
        inner join texts on answers_nearby.event_id = texts.event_id
        inner join
            texts as whole_texts on answers_nearby.whole_event_id = whole_texts.event_id
        where
            answers_nearby.milliseconds_apart <= {{ capture_window_seconds() }} * 1000
            and {{ is_extract_of("texts.body", "whole_texts.body") }}
        group by answers_nearby.event_id
    )

select event_id, covered_by_event_id, cover_rule
from covers
union all
select event_id, covered_by_event_id, 'extract' as cover_rule
from extracts_of_answers
where event_id not in (select event_id from covers)
