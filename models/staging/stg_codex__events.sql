with
    lines as (select * from {{ ref("stg_codex__lines") }}),

    prompt_lines as (select * from {{ source("codex", "history") }}),

    worded as (
        select
            *,
            case
                when item_type = 'reasoning'
                then
                    concat_ws(
                        chr(10),
                        {{ json_strings("summary", "$[*].text") }},
                        {{ json_strings("content", "$[*].text") }}
                    )
                when ends_with(item_type, '_call')
                then
                    concat_ws(
                        ' ',
                        coalesce(name, item_type),
                        coalesce(arguments, input, action::varchar)
                    )
                when ends_with(item_type, '_output') and json_type(output) = 'ARRAY'
                then {{ json_strings("output", "$[*].text") }}
                when ends_with(item_type, '_output')
                then {{ json_string("output", "$") }}
                when line_type = 'compacted'
                then
                    coalesce(
                        nullif(message, ''),
                        {{
                            json_strings(
                                "replacement_history", "$[*].content[*].text"
                            )
                        }}
                    )
                when item_type = 'item_completed'
                then
                    coalesce(
                        item.text, {{ json_strings("item.content", "$[*].text") }}
                    )
                else coalesce(message, text)
            end as line_text
        from lines
        where
            line_type in (
                'response_item', 'compacted', 'inter_agent_communication', 'realtime_item'
            )
            or item_type in (
                'user_message',
                'agent_message',
                'agent_reasoning',
                'agent_reasoning_raw_content'
            )
            or item.type in ('UserMessage', 'AgentMessage', 'Reasoning', 'Plan')
    ),

    itemised as (
        select
            *,
            case
                when line_text is not null and line_text <> ''
                then [null::json]
                else {{ content_items("content") }}
            end as items
        from worded
    ),

    exploded as (
        select *, {{ block_fields("item_json") }} as block
        from {{ each_item("itemised", "items", "item_json", "item_number") }}
    ),

    texts as (
        select
            *,
            coalesce(block.text, line_text) as words,
            case
                when item_type = 'message'
                then coalesce(role, 'system')
                when item_type = 'user_message' or item.type = 'UserMessage'
                then 'user'
                when
                    item_type = 'agent_message'
                    and line_type = 'event_msg'
                    or item.type in ('AgentMessage', 'Plan')
                    or ends_with(item_type, '_call')
                then 'assistant'
                when ends_with(item_type, '_output')
                then 'tool'
                when
                    item_type = 'reasoning'
                    or starts_with(item_type, 'agent_reasoning')
                    or item.type = 'Reasoning'
                then 'reasoning'
                else 'system'
            end as speaker,
            case
                when line_type <> 'event_msg'
                then 1
                when item_type <> 'item_completed'
                then 2
                else 3
            end as writer
        from exploded
    ),

    kinds as (
        select
            *,
            case
                when ends_with(item_type, '_call')
                then 'tool_call'
                when ends_with(item_type, '_output')
                then 'tool_result'
                when line_type = 'compacted' or contains(item_type, 'compaction')
                then 'summary'
                when speaker in ('user', 'assistant')
                then {{ said_kind("speaker", "words", "is_subagent") }}
                else 'system'
            end as event_kind
        from texts
        where words is not null
    ),

    -- What is ranked is narrow: words are told apart by their hash.
    narrow as (
        select
            record_id,
            item_number,
            container,
            position,
            session_id,
            occurred_at,
            is_replay,
            speaker,
            writer,
            case
                when speaker = 'user' and (event_kind = 'turn' or is_subagent)
                then 'user'
                when speaker in ('assistant', 'reasoning', 'tool')
                then 'model'
            end as side,
            case
                when
                    event_kind in ('tool_call', 'tool_result')
                    or speaker not in ('user', 'assistant')
                then null
                else {{ sha256_hex(trim_white_space("words")) }}
            end as words_hash
        from kinds
    ),

    sided as (
        select
            *,
            side = 'user'
            and coalesce(
                lag(side ignore nulls) over (
                    partition by container order by position, record_id, item_number
                ),
                'model'
            )
            = 'model' as opens_turn
        from narrow
    ),

    turned as (
        select
            *,
            sum(case when opens_turn then 1 else 0 end) over (
                partition by container order by position, record_id, item_number
            ) as turn_number
        from sided
    ),

    repeated as (
        select
            *,
            row_number() over (
                partition by container, turn_number, speaker, words_hash, writer
                order by position, record_id, item_number
            ) as repetition
        from turned
        where words_hash is not null
    ),

    -- The n-th time that a turn's words stand in one kind of line is the n-th time
    -- that they
    -- stand in the other.
    paired as (
        select
            *,
            writer > min(writer) over pair as is_copy,
            first_value(occurred_at) over pair as said_at
        from repeated
        window
            pair as (
                partition by container, turn_number, speaker, words_hash, repetition
                order by writer
                rows between unbounded preceding and unbounded following
            )
    ),

    rollbacks as (
        select
            record_id,
            native_id,
            container,
            position,
            occurred_at,
            coalesce(try_cast(num_turns as bigint), 1) as turn_count
        from lines
        where item_type = 'thread_rolled_back'
    ),

    -- Depth rises with every turn of the user's and falls with every rollback.
    steps as (
        select container, position, record_id, 1 as step
        from paired
        where
            side = 'user'
            and not is_copy
            and container in (select container from rollbacks)
        group by container, position, record_id
        union all
        select container, position, record_id, -turn_count
        from rollbacks
    ),

    depths as (
        select
            *,
            sum(step) over (partition by container order by position) as depth,
            lead(case when step = 1 then position end ignore nulls) over (
                partition by container order by position
            ) as end_position
        from steps
    ),

    retracted as (
        select
            opening.container,
            opening.position,
            opening.end_position,
            min_by(rollbacks.native_id, rollbacks.position) as rolled_back_by,
            min_by(rollbacks.occurred_at, rollbacks.position) as rolled_back_at
        from depths as opening
        inner join
            depths as closing
            on opening.container = closing.container
            and opening.position < closing.position
            and opening.depth > closing.depth
        inner join rollbacks on closing.record_id = rollbacks.record_id
        where opening.step = 1
        group by opening.container, opening.position, opening.end_position
    ),

    taken_back as (
        select
            paired.record_id,
            paired.item_number,
            min(retracted.rolled_back_by) as rolled_back_by,
            min(retracted.rolled_back_at) as rolled_back_at
        from paired
        inner join
            retracted
            on paired.container = retracted.container
            and paired.position >= retracted.position
            and paired.position
            < coalesce(retracted.end_position, paired.position + 1)
        where not paired.is_copy
        group by paired.record_id, paired.item_number
    ),

    said as (
        select
            kinds.*,
            paired.said_at,
            case when paired.is_copy then 'event_msg copy' end as copy_kind,
            taken_back.rolled_back_by,
            taken_back.rolled_back_at
        from kinds
        left join
            paired
            on kinds.record_id = paired.record_id
            and kinds.item_number = paired.item_number
        left join
            taken_back
            on kinds.record_id = taken_back.record_id
            and kinds.item_number = taken_back.item_number
    ),

    line_events as (
        select
            'rollouts' as source_entity,
            native_id,
            (item_number - 1)::varchar as part,
            session_id,
            turn_id,
            speaker,
            event_kind,
            cwd,
            git_branch,
            words,
            coalesce(said_at, occurred_at) as occurred_at,
            landed_at,
            record_id,
            {{
                json_object_of(
                    {
                        "block_type": "coalesce(item_type, line_type)",
                        "written_as": "line_type",
                        "phase": "phase",
                        "copy_kind": "copy_kind",
                        "is_subagent": "is_subagent",
                        "is_replay": "case when is_replay then true end",
                        "forked_from": "forked_from_id",
                        "rolled_back_by": "rolled_back_by",
                        "rolled_back_at": "rolled_back_at::varchar",
                        "git_remote": "git_remote",
                        "ordinal": "ordinal",
                        "tool_version": "cli_version",
                    }
                )
            }} as metadata
        from said
    ),

    prompts as (
        select
            record_id,
            container as session_id,
            position,
            landed_at,
            {{ json_fields(readable_json("payload"), {"ts": "VARCHAR", "text": "VARCHAR"}) }}
            as entry
        from prompt_lines
    ),

    numbered_prompts as (
        select
            record_id,
            session_id,
            landed_at,
            entry.text as words,
            {{ utc_timestamp("entry.ts") }} as noted_at,
            {{ sha256_hex(trim_white_space("entry.text")) }} as words_hash,
            row_number() over (
                partition by session_id, {{ trim_white_space("entry.text") }}
                order by try_cast(entry.ts as double), position, record_id
            ) as repetition
        from prompts
        where entry.text is not null
    ),

    -- The prompts that the rollouts of the session hold.
    numbered_turns as (
        select
            record_id,
            item_number,
            session_id,
            words_hash,
            said_at,
            row_number() over (
                partition by session_id, words_hash
                order by position, record_id, item_number
            ) as repetition
        from paired
        where speaker = 'user' and not is_copy and not is_replay
    ),

    places as (
        select session_id, min_by(cwd, position) as cwd, min(git_branch) as git_branch
        from lines
        where cwd is not null and session_id = container
        group by session_id
    ),

    prompt_events as (
        select
            'history' as source_entity,
            numbered_prompts.record_id as native_id,
            '0' as part,
            numbered_prompts.session_id,
            null::varchar as turn_id,
            'user' as speaker,
            {{ said_kind("'user'", "numbered_prompts.words", "false") }} as event_kind,
            places.cwd,
            places.git_branch,
            numbered_prompts.words,
            coalesce(numbered_turns.said_at, numbered_prompts.noted_at) as occurred_at,
            numbered_prompts.landed_at,
            numbered_prompts.record_id,
            {{
                json_object_of(
                    {
                        "block_type": "'prompt'",
                        "copy_kind": "case when numbered_turns.record_id is not null then 'prompt history' end",
                    }
                )
            }} as metadata
        from numbered_prompts
        left join
            numbered_turns
            on numbered_prompts.session_id = numbered_turns.session_id
            and numbered_prompts.words_hash = numbered_turns.words_hash
            and numbered_prompts.repetition = numbered_turns.repetition
        left join places on numbered_prompts.session_id = places.session_id
    ),

    gathered as (
        select *
        from line_events
        union all
        select *
        from prompt_events
    ),

    events as (
        select
            {{ event_id("'codex'", "native_id", role="speaker") }} as event_id,
            'codex' as source_system,
            source_entity,
            native_id,
            part,
            null::varchar as parent_native_id,
            null::varchar as session_key,
            session_id,
            turn_id,
            null::varchar as agent_id,
            {{ user_id() }} as user_id,
            speaker as role,
            event_kind,
            null::varchar as trigger_kind,
            cwd,
            git_branch,
            words as content,
            occurred_at,
            landed_at,
            record_id,
            metadata
        from gathered
    )

select *
from events
